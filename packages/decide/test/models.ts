import type { Model } from './model-checker.ts';

const INVALID = 'error.decide.invalid';
/** Small charts, each with another way in which an answer may be wrong by the time that it comes. */
export const MODELS: Readonly<Record<string, Model>> = {
  'guards that change under an open offer': {
    events: ['go', 'flip', 'back'],
    payloads: [null, { n: 1 }],
    yaml: `
data: { x: 0, n: 0 }
states:
  a:
    extensions: [{ local: decide, attribute: d }, { local: maxDecisions, attribute: "4" }]
    transitions:
      - { event: go, cond: ctx.x == 0, target: b }
      - { event: go, cond: ctx.x == 1, target: c }
      - { event: flip, do: [{ assign: { location: x, expr: 1 - ctx.x } }] }
      - { event: ${INVALID}, cond: ctx.n < 2, target: a, do: [{ assign: { location: n, expr: ctx.n + 1 } }] }
      - { event: vt.agent.budget-exhausted, target: c }
  b: { on: { back: a, flip: { do: [{ assign: { location: x, expr: 1 - ctx.x } }] } } }
  c: { on: { back: a } }
`,
  },
  'payloads that decide between transitions': {
    events: ['pay', 'back'],
    payloads: [{ n: 1 }, { n: 9 }, { n: 'x' }],
    yaml: `
extensions: [{ local: types, attribute: "type Pay = { n: int }; event pay = Pay;" }]
data: { paid: 0 }
states:
  a:
    extensions: [{ local: decide, attribute: d }, { local: deadline, attribute: 5s }, { local: fallback, attribute: f }]
    transitions:
      - { event: pay, cond: ev.data.n < 5, target: b, do: [{ assign: { location: paid, expr: ctx.paid + 1 } }] }
      - { event: pay, target: c }
      - { event: ${INVALID}, target: c }
  b: { on: { back: { cond: ctx.paid < 4, target: a } } }
  c: { on: { back: a } }
`,
  },
  'deadlines without a fallback, refusals and re-entry': {
    events: ['go', 'again', 'out', 'in'],
    payloads: [null],
    yaml: `
data: { said: 0 }
states:
  a:
    extensions: [{ local: decide, attribute: d }, { local: deadline, attribute: 5s }, { local: maxDecisions, attribute: "3" }, { local: candidates, attribute: go again }]
    on:
      go: b
      again: a
      out: b
      vt.decide.refused: { do: [{ assign: { location: said, expr: 'ctx.said < 3 ? ctx.said + 1 : 3' } }] }
      error.decide.timeout: b
      vt.agent.budget-exhausted: b
  b: { on: { in: a } }
`,
  },
  'regions, each with an offer, and one above them': {
    events: ['up', 'go', 'back'],
    payloads: [null],
    yaml: `
data: { n: 0 }
states:
  p:
    type: parallel
    on: { up: { cond: ctx.n < 3, do: [{ assign: { location: n, expr: ctx.n + 1 } }] } }
    states:
      left:
        extensions: [{ local: decide, attribute: d }, { local: maxDecisions, attribute: "2" }]
        states:
          l1: { extensions: [{ local: decide, attribute: d }, { local: maxDecisions, attribute: "3" }], on: { go: l2 } }
          l2: { on: { back: l1 } }
      right:
        states:
          r1: { extensions: [{ local: decide, attribute: d }, { local: maxDecisions, attribute: "3" }], on: { go: r2, ${INVALID}: r1 } }
          r2: { on: { back: r1 } }
`,
  },
  'a value that goes up and down, and so what is on offer': {
    events: ['up', 'down'],
    payloads: [null],
    yaml: `
data: { x: 0 }
states:
  a:
    extensions: [{ local: decide, attribute: d }, { local: maxDecisions, attribute: "60" }]
    transitions:
      - { event: up, cond: ctx.x < 12, target: a, do: [{ assign: { location: x, expr: ctx.x + 1 } }] }
      - { event: down, cond: ctx.x > 0, do: [{ assign: { location: x, expr: ctx.x - 1 } }] }
      - { event: ${INVALID}, cond: ctx.x > 3, target: a }
`,
  },
};
