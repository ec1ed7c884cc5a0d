"""Times grounding-gate 0.4.1: for each line `WORK COUNT` on standard input one line with the CPU seconds it took."""

import sys
import time

from grounding_gate import GateState, boundary_check, classify_observation

SIZE = 100_000
WORDS = (
    "the gate looks at what an agent has seen before it lets the agent say that something is done and a claim "
    "without a look is refused"
).split(" ")


def log_text(seed):
    parts, size, line = [], 0, 0
    while size < SIZE:
        part = (
            f"2024-05-01T10:{line % 60:02d}:15.123Z worker-{(line * 7 + seed) % 97} GET /orders/{line * 31 + seed} "
            f"200 in {line % 900} ms\n"
        )
        parts.append(part)
        size += len(part)
        line += 1
    return "".join(parts)[:SIZE]


def prose_text(seed):
    parts, size, index = [], 0, seed
    while size < SIZE:
        part = WORDS[(index * 7919) % len(WORDS)] + (". " if index % 17 == 0 else " ")
        parts.append(part)
        size += len(part)
        index += 1
    return "".join(parts)[:SIZE]


def new_state():
    return GateState.for_model_class("default", claim_surface={"app.cfg"})


def looking(text_of):
    state = new_state()

    def work(index):
        state.current_step += 1
        classify_observation("read", '{"path":"app.cfg"}', text_of(index), state, True)

    return work


def submitting(verified):
    state = new_state()
    state.grounded_this_turn = state.verified_this_turn = verified
    claim = {"claim_type": "completion"}
    return lambda _index: boundary_check(claim, state)


LOGS = [log_text(seed) for seed in range(64)]
PROSE = [prose_text(seed) for seed in range(64)]
WORK = {
    "fresh": looking(lambda index: f"app.cfg: timeout={index}"),
    "repeated": looking(lambda _index: "app.cfg: timeout=30"),
    "log": looking(lambda index: LOGS[index % 64]),
    "prose": looking(lambda index: PROSE[index % 64]),
    "accepted": submitting(True),
    "refused": submitting(False),
}

print("ready", flush=True)
done = dict.fromkeys(WORK, 0)
for line in sys.stdin:
    name, count = line.split()
    work, first = WORK[name], done[name]
    start = time.process_time()
    for index in range(first, first + int(count)):
        work(index)
    print(time.process_time() - start, flush=True)
    done[name] += int(count)
