import { parseArguments, tableOf } from '../options.ts';
import { change, unknown } from '../sink.ts';
import type { Word } from '../syntax/tree.ts';
import { dockerSubcommand, KUBECTL } from '../wrappers/containers.ts';
import type { ProgramCall } from './call.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const DOCKER_READS = set('ps images logs inspect version info stats top port history diff events');
const DOCKER_WRITES = set('stop kill rm rmi restart pause unpause tag rename');
const DOCKER_OBJECTS = set('container image volume network');
const OBJECT_READS = set('ls list inspect');
const OBJECT_WRITES = set('rm prune create');
const COMPOSE_READS = set('ps logs config ls top version');
const COMPOSE_WRITES = set('down stop kill rm pause unpause');

/** docker and podman by their subcommand; `exec` and `run` are wrappers. */
export function docker(call: ProgramCall): void {
  const { sink } = call;
  const { names, rest, unclear } = dockerSubcommand(call);
  const [first, second] = names;
  const object = rest.find(({ text }) => text === null || !text.startsWith('-'));
  const kind = dockerKind(first, second, object?.text ?? null);
  if (kind === 'read') return;
  if (kind === 'unknown') {
    unknown(sink, 'unknown-subcommand', unclear ?? call.args[0] ?? call.own);
    return;
  }
  if (kind === 'network') sink.network = true;
  change(sink);
}

function dockerKind(
  first: string | undefined,
  second: string | undefined,
  object: string | null,
): 'read' | 'write' | 'network' | 'unknown' {
  if (first === undefined) return 'unknown';
  if (first === 'compose') return kindOf(second ?? '', COMPOSE_READS, COMPOSE_WRITES);
  if (first === 'pull' || first === 'push') return 'network';
  if (first === 'system') return object === 'prune' ? 'write' : 'unknown';
  if (DOCKER_OBJECTS.has(first)) return kindOf(object ?? '', OBJECT_READS, OBJECT_WRITES);
  return kindOf(first, DOCKER_READS, DOCKER_WRITES);
}

function kindOf(name: string, reads: ReadonlySet<string>, writes: ReadonlySet<string>): 'read' | 'write' | 'unknown' {
  if (reads.has(name)) return 'read';
  return writes.has(name) ? 'write' : 'unknown';
}

const KUBECTL_READS = set('get describe logs version top explain api-resources cluster-info');
const KUBECTL_WRITES = set('delete apply create scale patch label annotate cordon drain replace set expose');
const KUBECTL_PARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  rollout: set('status history'),
  config: set('view get-contexts current-context'),
  auth: set('can-i'),
};

export function kubectl(call: ProgramCall): void {
  const { sink } = call;
  const { operands } = parseArguments(call.args, tableOf(KUBECTL));
  const [first, second] = operands;
  const name = first?.text ?? '';
  if (KUBECTL_READS.has(name)) return;
  if (KUBECTL_WRITES.has(name)) return change(sink);
  if (KUBECTL_PARTS[name]?.has(second?.text ?? '') === true) return;
  if (name === 'rollout' && second?.text != null) change(sink);
  else unknown(sink, 'unknown-subcommand', second ?? first ?? call.own);
}

const GH = '-R,--repo= -X,--method= -f,--raw-field= -F,--field= --input= --hostname=';
const GH_GROUPS = set('pr issue run release repo workflow gist label');
const GH_READS = set('list view status diff checks watch');
const GH_API =
  '-X,--method=:data -f,--raw-field=:change -F,--field=:change --input=:change -H,--header= -q,--jq= -t,--template= --hostname= -p,--preview= --cache=';

/** gh: what GitHub is asked for, or told. */
export function gh(call: ProgramCall): void {
  const { sink, args } = call;
  const dynamic = args.find(({ text, operandOnly }) => text === null && !operandOnly);
  if (dynamic !== undefined) unknown(sink, 'undetermined-option', dynamic);
  const { operands } = parseArguments(args, tableOf(GH));
  const [first, second] = operands;
  const group = first?.text ?? '';
  if (group === 'search') return;
  if (group === 'api') return ghApi(call, args);
  if (group === 'auth' && second?.text === 'status') return;
  if (!GH_GROUPS.has(group) || second === undefined) unknown(sink, 'unknown-subcommand', first ?? call.own);
  else if (!GH_READS.has(second.text ?? '')) change(sink);
}

function ghApi(call: ProgramCall, args: readonly Word[]): void {
  const { options } = parseArguments(args, tableOf(GH_API));
  for (const { spec, value } of options) {
    if (spec.action === 'change') change(call.sink);
    if (spec.action === 'data' && value?.text?.toUpperCase() !== 'GET') change(call.sink);
  }
}
