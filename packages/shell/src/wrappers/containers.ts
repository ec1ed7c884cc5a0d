import { has, parseArguments, tableOf } from '../options.ts';
import { unknown } from '../sink.ts';
import type { Word } from '../syntax/tree.ts';
import { ORDINARY, opaque, scriptOf, type Unwrapped, unclear, type WrapperCall } from './outcome.ts';

/** Options before docker's subcommand. */
const DOCKER_GLOBAL =
  '-H,--host=:network -c,--context= --config= -D,--debug -l,--log-level= --tls --tlscacert= --tlscert= --tlskey= ' +
  '--tlsverify --connection= --url= --identity= --root= --runroot= --storage-driver= --remote';
/** Options between `compose` and its subcommand. */
const COMPOSE_GLOBAL =
  '-f,--file= -p,--project-name= --profile= --env-file= --project-directory= --ansi= --parallel= --progress= ' +
  '--compatibility --dry-run --all-resources';
const EXEC =
  '-e,--env= --env-file= -u,--user= -w,--workdir= --detach-keys= --index= -i,--interactive -t,--tty -d,--detach ' +
  '--privileged -T,--no-TTY';
const RUN =
  '-v= -e= -p= -w= -u= -h= -l= -m= -c= -a= --name= --network= --env= --volume= --publish= --workdir= --user= --mount= ' +
  '--env-file= --hostname= --label= --memory= --cpus= --platform= --add-host= --entrypoint=:unknown --pull= --restart= ' +
  '--gpus= --device= --cap-add= --cap-drop= --security-opt= --pid= --ipc= -i -t -d --rm --detach --interactive --tty ' +
  '--privileged --init --read-only --no-deps --build --service-ports';

export type Subcommand = {
  readonly names: readonly string[];
  readonly rest: readonly Word[];
  readonly unclear: Word | null;
};

/** The subcommand of docker (`exec`, `compose exec`, …) and the words after it. */
export function dockerSubcommand(call: Pick<WrapperCall, 'args' | 'sink'>): Subcommand {
  const parsed = parseArguments(call.args, tableOf(DOCKER_GLOBAL), { stops: true });
  if (has(parsed, '-H')) call.sink.network = true;
  const rest = call.args.slice(parsed.rest);
  const [first] = rest;
  const cause = unclear(parsed);
  if (cause !== null || first === undefined) return { names: [], rest: [], unclear: cause };
  if (first.text === null) return { names: [], rest: [], unclear: first };
  if (first.text !== 'compose') return { names: [first.text], rest: rest.slice(1), unclear: null };
  const compose = parseArguments(rest.slice(1), tableOf(COMPOSE_GLOBAL), { stops: true });
  const after = rest.slice(1 + compose.rest);
  const [second] = after;
  const unclearCompose = unclear(compose) ?? (second?.text === null ? second : null);
  if (unclearCompose !== null || second === undefined) return { names: ['compose'], rest: [], unclear: unclearCompose };
  return { names: ['compose', second.text ?? ''], rest: after.slice(1), unclear: null };
}

export function docker(call: WrapperCall): Unwrapped {
  const { names, rest, unclear: cause } = dockerSubcommand(call);
  if (cause !== null) return ORDINARY;
  const action = names.at(-1);
  const isCompose = names[0] === 'compose';
  if (names.length > (isCompose ? 2 : 1) || (isCompose && call.name !== 'docker' && call.name !== 'podman'))
    return ORDINARY;
  const label = [call.name, ...names].join(' ');
  if (action === 'exec') return inContainer(label, rest);
  if (action === 'run') return runImage(call, label, rest);
  return ORDINARY;
}

function inContainer(label: string, args: readonly Word[]): Unwrapped {
  const parsed = parseArguments(args, tableOf(EXEC), { stops: true });
  const cause = unclear(parsed);
  if (cause !== null) return opaque(label, cause, 'wrapper-option', { remote: true });
  const words = args.slice(parsed.rest + 1);
  return words.length === 0 ? ORDINARY : { type: 'words', label, words, remote: true };
}

function runImage(call: WrapperCall, label: string, args: readonly Word[]): Unwrapped {
  const parsed = parseArguments(args, tableOf(RUN), { stops: true });
  const cause = unclear(parsed);
  if (cause !== null) return opaque(label, cause, 'wrapper-option', { remote: true });
  const image = args[parsed.rest];
  const words = args.slice(parsed.rest + 1);
  if (image === undefined || words.length === 0 || parsed.options.some(({ spec }) => spec.action === 'unknown'))
    return ORDINARY;
  unknown(call.sink, 'container-image', image);
  return { type: 'words', label, words, remote: true };
}

/** Options of kubectl that take an argument, before or after the subcommand. */
export const KUBECTL =
  '-n,--namespace= --context= --cluster= --user= --kubeconfig= -s,--server= --token= --as= --as-group= --as-uid= ' +
  '--request-timeout= --cache-dir= --certificate-authority= --client-key= --client-certificate= --tls-server-name= ' +
  '-v,--v= --profile= --profile-output= -c,--container= --pod-running-timeout= -f,--filename= -k,--kustomize= ' +
  '-l,--selector= -o,--output= --field-selector= --sort-by= --template= --tail= --since= --since-time= -L,--label-columns=';

export function kubectl(call: WrapperCall): Unwrapped {
  const end = call.args.findIndex(({ text }) => text === '--');
  const before = end === -1 ? call.args : call.args.slice(0, end);
  const { operands, undetermined } = parseArguments(before, tableOf(KUBECTL));
  if (operands[0]?.text !== 'exec' || end === -1) return ORDINARY;
  call.sink.network = true;
  if (undetermined !== null) return opaque('kubectl exec', undetermined, 'wrapper-option', { remote: true });
  const words = call.args.slice(end + 1);
  return words.length === 0 ? ORDINARY : { type: 'words', label: 'kubectl exec', words, remote: true };
}

const LAUNCHER = '-y -q --yes -p,-P= --package= --from= --with= --python= --spec= -c,--call=:data';
const ALONE = new Set(['npx', 'bunx', 'uvx']);
const BY_SUBCOMMAND: Readonly<Record<string, ReadonlySet<string>>> = {
  npm: new Set(['exec', 'x']),
  pnpm: new Set(['dlx', 'exec']),
  yarn: new Set(['dlx', 'exec']),
  bun: new Set(['x']),
  pipx: new Set(['run']),
};

/** Runs a package that may have to be fetched first: whatever it is called, it is not classified. */
export function launcher(call: WrapperCall): Unwrapped {
  const subcommand = call.args[0]?.text ?? '';
  const alone = ALONE.has(call.name);
  if (!alone && BY_SUBCOMMAND[call.name]?.has(subcommand) !== true) return ORDINARY;
  const label = alone ? call.name : `${call.name} ${subcommand}`;
  const args = alone ? call.args : call.args.slice(1);
  const parsed = parseArguments(args, tableOf(LAUNCHER), { stops: true });
  const cause = unclear(parsed);
  if (cause !== null) return opaque(label, cause);
  const script = parsed.options.find(({ spec }) => spec.action === 'data');
  const words = args.slice(parsed.rest);
  const [first] = words;
  if (script?.value != null) {
    unknown(call.sink, 'package-code', script.value);
    return scriptOf(label, script.value);
  }
  if (first === undefined) return ORDINARY;
  unknown(call.sink, 'package-code', first);
  return { type: 'words', label, words, unclassified: true };
}
