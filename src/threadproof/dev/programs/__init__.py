"""Random programs: generators, mutations, shrinking."""
