import { type Digest, type Grant, WarrantError } from '@warrant/core';
import type { DecideBinding } from '../binding.ts';
import type { StartData } from '../input.ts';
import type { AgentDefinition, AgentKit } from '../kit.ts';
import { type AgentMachine, createAgentMachine } from '../machine/machine.ts';

export type KitProgram = { readonly definition: AgentDefinition; readonly machine: AgentMachine };

/** The charts of a kit, compiled once. @throws CHART_INVALID */
export class KitPrograms {
  private readonly kit: AgentKit;
  private readonly byDigest = new Map<Digest, KitProgram>();

  constructor(kit: AgentKit) {
    this.kit = kit;
    for (const definition of kit.agents) {
      const machine = machineOf(definition);
      this.byDigest.set(machine.program, { definition, machine });
    }
  }

  has(program: Digest): boolean {
    return this.byDigest.has(program);
  }

  /** @throws DECIDE_UNKNOWN_CHART */
  named(agent: string): KitProgram {
    const found = [...this.byDigest.values()].find(({ definition }) => definition.name === agent);
    if (found !== undefined) return found;
    throw new WarrantError('DECIDE_UNKNOWN_CHART', `no agent of the kit is named '${agent}'`, { data: { agent } });
  }

  /** @throws DECIDE_UNKNOWN_CHART */
  of(program: Digest, actor: string): KitProgram {
    const found = this.byDigest.get(program);
    if (found !== undefined) return found;
    throw new WarrantError('DECIDE_UNKNOWN_CHART', `${actor} runs a chart that is not in the kit`, {
      data: { actor, program },
    });
  }

  /** Whether everybody that the chart may ask is bound. @throws DECIDE_UNKNOWN_DECIDER */
  checkDeciders({ bindings, invoked }: AgentMachine): void {
    const missing = this.unboundIn([...bindings, ...invoked]);
    if (missing === undefined) return;
    throw new WarrantError('DECIDE_UNKNOWN_DECIDER', `no decider '${missing}' is bound`, {
      data: { decider: missing },
    });
  }

  /** The first decider or fallback that the kit does not bind. */
  unboundIn(bindings: readonly DecideBinding[]): string | undefined {
    const bound = bindings.flatMap(({ decider, fallback }) => (fallback === null ? [decider] : [decider, fallback]));
    return bound.find((name) => !Object.hasOwn(this.kit.deciders ?? {}, name));
  }

  /** What the first entry of a run holds. */
  startData({ definition, machine }: KitProgram, given: Pick<StartData, 'input' | 'label'>): StartData {
    const tools = (this.kit.tools ?? []).map(({ iri }) => iri);
    const grant: Grant = {
      targets: [],
      tools,
      deciders: Object.keys(this.kit.deciders ?? {}),
      functions: [],
      ...definition.grant,
    };
    return { program: machine.program, ...given, grant, tools, maxAsks: definition.maxAsks ?? null };
  }
}

/** Hosts are opened more often than charts are written. */
const machines = new WeakMap<AgentDefinition, AgentMachine>();

function machineOf(definition: AgentDefinition): AgentMachine {
  const known = machines.get(definition);
  if (known !== undefined) return known;
  const made = createAgentMachine(definition);
  machines.set(definition, made);
  return made;
}
