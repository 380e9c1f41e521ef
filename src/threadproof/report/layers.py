"""A layered drawing of a directed graph: positions of boxes and ways of edges.

Paper: Sugiyama, Tagawa, Toda, Methods for visual understanding of hierarchical system structures, IEEE Trans.
SMC 1981: layers, order within layers by barycentres, then coordinates.

Differs: layers are longest paths from the entry, after edges that go back in a depth-first search are set
aside. Such an edge gets a chain of bends beside every layer it passes, its own ends included, so that it
leaves its box at the bottom and enters at the top like every other edge. Coordinates are a least-squares fit
per layer (pool adjacent violators), repeated until straight enough.

Invariants: boxes of a layer keep their order and their distance, so no two boxes overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

SPACE = 36.0  # between neighbours in a layer
BEND_SPACE = 16.0
GAP = 52.0  # between layers
SWEEPS = 12

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Size:
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Route:
    """An edge's way: where it leaves, the vertical pieces it runs along, where it arrives."""

    points: tuple[Point, ...]
    backward: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    boxes: dict[str, Point]  # upper left corners
    routes: tuple[Route, ...]  # one per edge, in the order given
    size: Size


@dataclass(slots=True)
class _Node:
    """A box or a bend. `up` and `down` are its neighbours in the layers above and below."""

    key: str
    width: float
    height: float
    layer: int = 0
    x: float = 0.0  # of its middle
    up: list[_Node] = field(default_factory=list["_Node"])
    down: list[_Node] = field(default_factory=list["_Node"])

    @property
    def is_bend(self) -> bool:
        return self.width == 0


def lay_out(sizes: Mapping[str, Size], edges: Sequence[tuple[str, str]], entry: str) -> Drawing:
    return _Layout(sizes, edges, entry).draw()


class _Layout:
    def __init__(self, sizes: Mapping[str, Size], edges: Sequence[tuple[str, str]], entry: str) -> None:
        self._edges = edges
        self._boxes = {key: _Node(key, size.width, size.height) for key, size in sizes.items()}
        order, self._backward = _search(list(sizes), edges, entry)
        forward = [edge for edge, back in zip(edges, self._backward, strict=True) if not back]
        for key, depth in _longest_paths(order, forward).items():
            self._boxes[key].layer = depth
        self._layers: list[list[_Node]] = [[] for _ in range(1 + max(n.layer for n in self._boxes.values()))]
        for node in self._boxes.values():
            self._layers[node.layer].append(node)
        self._chains = [self._chain(index) for index in range(len(edges))]

    def draw(self) -> Drawing:
        self._reorder()
        self._spread()
        tops = self._tops()
        least = min(node.x - node.width / 2 for layer in self._layers for node in layer)
        for layer in self._layers:
            for node in layer:
                node.x -= least
        boxes = {key: (node.x - node.width / 2, tops[node.layer]) for key, node in self._boxes.items()}
        width = max(node.x + node.width / 2 for layer in self._layers for node in layer)
        routes = tuple(self._route(index, tops) for index in range(len(self._edges)))
        return Drawing(boxes, routes, Size(width, tops[-1]))

    def _chain(self, index: int) -> list[_Node]:
        """The bends of an edge, from its upper end to its lower; neighbours are linked."""
        source, target = (self._boxes[key] for key in self._edges[index])
        if self._backward[index]:
            chain = [_Node(f"~{index}", 0.0, 0.0, layer) for layer in range(target.layer, source.layer + 1)]
            for bend in chain:
                beside = target if bend.layer == target.layer else None
                row = self._layers[bend.layer]
                row.insert(row.index(beside) + 1 if beside else len(row), bend)
            _link(chain)
            return chain
        chain = [_Node(f"~{index}", 0.0, 0.0, layer) for layer in range(source.layer + 1, target.layer)]
        for bend in chain:
            self._layers[bend.layer].append(bend)
        _link([source, *chain, target])
        return chain

    def _reorder(self) -> None:
        """Sweeps down and up; the order with the fewest crossings wins."""
        best, fewest = [list(layer) for layer in self._layers], self._crossings()
        for sweep in range(SWEEPS):
            downwards = sweep % 2 == 0
            for layer in self._layers if downwards else reversed(self._layers):
                _sort(layer, self._places(), "up" if downwards else "down")
            crossings = self._crossings()
            if crossings < fewest:
                best, fewest = [list(layer) for layer in self._layers], crossings
            if not fewest:
                break
        self._layers = best

    def _places(self) -> dict[int, int]:
        return {id(node): place for layer in self._layers for place, node in enumerate(layer)}

    def _crossings(self) -> int:
        places = self._places()
        total = 0
        for layer in self._layers:
            ends = [sorted(places[id(below)] for below in node.down) for node in layer]
            total += _inversions([end for of_node in ends for end in of_node])
        return total

    def _spread(self) -> None:
        for layer in self._layers:
            cursor = 0.0
            for node in layer:
                cursor += node.width / 2
                node.x = cursor
                cursor += node.width / 2 + SPACE
        for sweep in range(SWEEPS * 2):
            for layer in self._layers if sweep % 2 == 0 else reversed(self._layers):
                _fit(layer)

    def _tops(self) -> list[float]:
        """Upper edge of every layer, and the drawing's height at the end."""
        tops, cursor = list[float](), GAP * 0.7
        for layer in self._layers:
            tops.append(cursor)
            bends = sum(1 for node in layer if node.is_bend)
            cursor += self._height(len(tops) - 1) + GAP + min(bends, 8) * 3
        return [*tops, cursor]

    def _route(self, index: int, tops: list[float]) -> Route:
        source, target = (self._boxes[key] for key in self._edges[index])
        port, top = self._port(index, 0), tops[source.layer]
        arrive = (self._port(index, 1), tops[target.layer])
        backward = self._backward[index]
        points = [(port, top + source.height), (port, top + self._height(source.layer))]
        for bend in reversed(self._chains[index]) if backward else self._chains[index]:
            upper = (bend.x, tops[bend.layer])
            lower = (bend.x, upper[1] + self._height(bend.layer))
            points.extend((lower, upper) if backward else (upper, lower))
        return Route((*points, arrive), backward)

    def _height(self, layer: int) -> float:
        return max((node.height for node in self._layers[layer]), default=0.0)

    def _port(self, index: int, end: int) -> float:
        """Edges share a side of a box in the order of where they lead."""
        key = self._edges[index][end]
        box = self._boxes[key]
        sharing = [i for i, edge in enumerate(self._edges) if edge[end] == key]
        sharing.sort(key=lambda i: (self._towards(i, end), i))
        step = min(28.0, box.width / (len(sharing) + 1))
        return box.x + (sharing.index(index) - (len(sharing) - 1) / 2) * step

    def _towards(self, index: int, end: int) -> float:
        chain = self._chains[index]
        if not chain:
            return self._boxes[self._edges[index][1 - end]].x
        lower_end = (end == 0) == self._backward[index]
        return chain[-1].x if lower_end else chain[0].x


def _link(chain: Sequence[_Node]) -> None:
    for above, below in pairwise(chain):
        above.down.append(below)
        below.up.append(above)


def _search(keys: list[str], edges: Sequence[tuple[str, str]], entry: str) -> tuple[list[str], list[bool]]:
    """Keys in reverse postorder, and for each edge whether it goes back to a box that is still open."""
    leaving: dict[str, list[int]] = {key: [] for key in keys}
    for index, (source, _) in enumerate(edges):
        leaving[source].append(index)
    backward = [False] * len(edges)
    state: dict[str, str] = {}
    finished: list[str] = []
    for root in [entry, *keys]:
        stack: list[tuple[str, Iterator[int]]] = []
        if root not in state:
            state[root] = "open"
            stack.append((root, iter(leaving[root])))
        while stack:
            key, rest = stack[-1]
            index = next(rest, None)
            if index is None:
                state[key] = "done"
                finished.append(key)
                stack.pop()
                continue
            target = edges[index][1]
            backward[index] = state.get(target) == "open"
            if target not in state:
                state[target] = "open"
                stack.append((target, iter(leaving[target])))
    return finished[::-1], backward


def _longest_paths(order: Sequence[str], forward: Sequence[tuple[str, str]]) -> dict[str, int]:
    depth = dict.fromkeys(order, 0)
    below: dict[str, list[str]] = {key: [] for key in order}
    for source, target in forward:
        below[source].append(target)
    for key in order:
        for target in below[key]:
            depth[target] = max(depth[target], depth[key] + 1)
    return depth


def _sort(layer: list[_Node], places: dict[int, int], side: str) -> None:
    """By the mean place of the neighbours on that side; who has none stays where it is."""

    def barycentre(node: _Node) -> float:
        near = node.up if side == "up" else node.down
        if not near:
            return float(places[id(node)])
        return sum(places[id(other)] for other in near) / len(near)

    layer.sort(key=barycentre)


def _inversions(sequence: Sequence[int]) -> int:
    return sum(1 for i, a in enumerate(sequence) for b in sequence[i + 1 :] if a > b)


def _fit(layer: Sequence[_Node]) -> None:
    """Moves every node towards its neighbours, keeping order and distances: least squares, weighted."""
    offsets, wishes, weights = list[float](), list[float](), list[float]()
    before: _Node | None = None
    offset = 0.0
    for node in layer:
        if before is not None:
            space = BEND_SPACE if before.is_bend and node.is_bend else SPACE
            offset += before.width / 2 + space + node.width / 2
        offsets.append(offset)
        near = node.up + node.down
        wish = sum(other.x for other in near) / len(near) if near else node.x
        wishes.append(wish - offset)
        weights.append(4.0 if node.is_bend else 1.0 + len(near))
        before = node
    for node, offset, place in zip(layer, offsets, _monotone(wishes, weights), strict=True):
        node.x = place + offset


def _monotone(wishes: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The non-decreasing sequence nearest to the wishes (pool adjacent violators)."""
    pools: list[tuple[float, float, int]] = []  # mean, weight, members
    for wish, weight in zip(wishes, weights, strict=True):
        pool = (wish, weight, 1)
        while pools and pools[-1][0] >= pool[0]:
            mean, heavy, members = pools.pop()
            total = heavy + pool[1]
            pool = ((mean * heavy + pool[0] * pool[1]) / total, total, members + pool[2])
        pools.append(pool)
    return [mean for mean, _, members in pools for _ in range(members)]
