import { type Digest, type Grant, WarrantError } from '@warrant/core';
import type { DecideBinding } from '../binding.ts';
import type { StartData } from '../input.ts';
import type { AgentDefinition, AgentKit } from '../kit.ts';
import { type AgentMachine, createAgentMachine } from '../machine/machine.ts';

export type KitProgram = { readonly definition: AgentDefinition; readonly machine: AgentMachine };

/** The charts of a kit, compiled once. @throws CHART_INVALID */
export class KitPrograms {
  private readonly kit: AgentKit;
  private readonly byName = new Map<string, KitProgram>();
  /** Two agents may run by one chart, with different grants: what they were started with is in the journal. */
  private readonly byDigest = new Map<Digest, KitProgram>();

  /** @throws CHART_INVALID, DECIDE_OPTIONS for two agents or two tools of one name, or a grant that is no lists of names */
  constructor(kit: AgentKit) {
    this.kit = kit;
    checkNames(
      'agents',
      kit.agents.map(({ name }) => name),
    );
    checkNames(
      'tools',
      (kit.tools ?? []).map(({ iri }) => iri),
    );
    for (const definition of kit.agents) {
      checkGrant(definition);
      const program = { definition, machine: machineOf(definition) };
      this.byName.set(definition.name, program);
      if (!this.has(program.machine.program)) this.byDigest.set(program.machine.program, program);
    }
  }

  has(program: Digest): boolean {
    return this.byDigest.has(program);
  }

  /** @throws DECIDE_UNKNOWN_CHART */
  named(agent: string): KitProgram {
    const found = this.byName.get(agent);
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

/** Of two under one name nobody could tell which is meant. */
function checkNames(what: string, names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new WarrantError('DECIDE_OPTIONS', `two ${what} of the kit are named '${twice}'`, { data: { name: twice } });
}

/** It is written down as it is given, and read back. */
function checkGrant({ name, grant = {} }: AgentDefinition): void {
  const isList = (names: unknown) => Array.isArray(names) && names.every((one) => typeof one === 'string');
  if (!Object.values(grant).every(isList))
    throw new WarrantError('DECIDE_OPTIONS', `the grant of '${name}' is made of lists of names`, { data: { name } });
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
