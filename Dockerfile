# docker build -t threadproof . && docker run --rm -v "$PWD:/work" threadproof verify program.c
FROM python:3.12-slim
COPY pyproject.toml README.md LICENSE /source/
COPY src /source/src
RUN pip install --no-cache-dir /source && rm -rf /source && useradd --create-home user
USER user
WORKDIR /work
ENTRYPOINT ["threadproof"]
