"""Times the reference, vre 1.0.1, on the generated graphs of its speed table.

For each line on standard input one JSON line with what it took:
  fill KIND COUNT      a new SQLite file with such a graph; the processor seconds of saving it
  check CONCEPTS COUNT checks on the graph that was filled last; the processor milliseconds of each
"""

import json
import sys
import tempfile
import time
from pathlib import Path
from uuid import UUID

from vre import VRE, DepthLevel, Provenance, ProvenanceSource, SQLiteRepository
from vre.core.models import Depth, Primitive, RelationType, Relatum

KINDS = [
    RelationType.REQUIRES,
    RelationType.DEPENDS_ON,
    RelationType.CONSTRAINED_BY,
    RelationType.APPLIES_TO,
    RelationType.INCLUDES,
]
CLUSTER = 40


def numbers(state):
    def draw(bound):
        nonlocal state
        state = (1664525 * state + 1013904223) % 2**32
        return (state >> 8) % bound

    return draw


def primitives(kind, count):
    draw = numbers(12345)
    by = Provenance(source=ProvenanceSource.AUTHORED)
    for index in range(count):
        low = index - index % CLUSTER if kind == "clustered" else 0
        levels = [Depth(level=DepthLevel(n), properties={"k": n}, relata=[], provenance=by) for n in range(4)]
        for _ in range(3 if index > low else 0):
            target = low + draw(index - low)
            relation, level, depth = KINDS[draw(5)], 1 + draw(3), draw(4)
            levels[level].relata.append(
                Relatum(relation_type=relation, target_id=UUID(int=target), target_depth=DepthLevel(depth), provenance=by)
            )
        yield Primitive(id=UUID(int=index), name=f"c{index}", depths=levels, provenance=by)


class Filled:
    def __init__(self, folder, kind, count):
        self.kind, self.count, self.draw = kind, count, numbers(777)
        graph = list(primitives(kind, count))
        self.repository = SQLiteRepository(Path(folder) / f"{kind}-{count}.db")
        start = time.process_time()
        for primitive in graph:
            self.repository.save_primitive(primitive)
        self.seconds = time.process_time() - start
        self.vre = VRE(self.repository, persist_traces=False)

    def query(self, concepts):
        if concepts == 1:
            return [f"c{self.draw(self.count)}"]
        base = CLUSTER * self.draw(self.count // CLUSTER) if self.kind == "clustered" else 0
        bound = CLUSTER if self.kind == "clustered" else self.count
        return [f"c{base + self.draw(bound)}" for _ in range(concepts)]

    def check(self, concepts):
        names = self.query(concepts)
        start = time.process_time()
        self.vre.check(names)
        return (time.process_time() - start) * 1000


with tempfile.TemporaryDirectory() as folder:
    print("ready", flush=True)
    filled = None
    for line in sys.stdin:
        work, which, count = line.split()
        if work == "fill":
            filled = Filled(folder, which, int(count))
            answer = filled.seconds
        else:
            answer = [filled.check(int(which)) for _ in range(int(count))]
        print(json.dumps(answer), flush=True)
