import { type ConceptMapping, defaultMapping, type ProgramConcepts } from './mapping.ts';

/** Domains whose seeds have words for what programs of the shell do there. */
export type MappedDomain = 'network' | 'http' | 'cloud' | 'kubernetes' | 'email' | 'payments';
type Domain = {
  readonly programs: Readonly<Record<string, ProgramConcepts>>;
  readonly wrappers?: Readonly<Record<string, readonly string[]>>;
};

function each(names: string, concepts: ProgramConcepts): Readonly<Record<string, ProgramConcepts>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, concepts]));
}

/** Each subcommand of a program; what uses the network says so itself, since its entry stands for all of it. */
function of(
  program: string,
  subcommands: string,
  concepts: readonly string[],
): Readonly<Record<string, ProgramConcepts>> {
  return Object.fromEntries(subcommands.split(' ').map((name) => [`${program} ${name}`, ['network', ...concepts]]));
}

const network = (): Domain => ({
  programs: {
    ...each('ping traceroute', ['probe_host', 'remote_host']),
    ...each('dig nslookup host whois', ['resolve_name', 'domain_name']),
    ...each('nc ncat netcat telnet socat', ['open_connection', 'network_connection', 'send_data']),
    ...each('scp sftp ftp', ['copy', 'file', 'remote_host', 'transfer_file']),
    ...each('ssh', ['remote_host', 'run_remotely']),
    ...each('curl wget', { reads: ['receive_data'], changes: ['receive_data', 'send_data'] }),
  },
  wrappers: { ssh: ['run_remotely'] },
});

const http = (): Domain => ({
  programs: {
    ...each('curl wget', {
      reads: ['get_resource', 'http_resource'],
      changes: ['get_resource', 'http_resource', 'post_resource'],
    }),
    ...each('gh', {
      reads: ['access_token', 'get_resource', 'http_resource'],
      changes: ['access_token', 'http_resource', 'post_resource'],
    }),
  },
});

const cloud = (): Domain => ({
  programs: {
    ...each('aws gcloud az', ['change_resource', 'cloud_resource', 'network']),
    ...of('aws', 'ls describe-instances describe-volumes list-buckets list-objects list-objects-v2', [
      'list_resources',
    ]),
    ...of('aws', 'get-caller-identity', ['cloud_role', 'list_resources']),
    ...of('aws', 'cp mv sync put-object', ['read_stored_object', 'storage_bucket', 'write_stored_object']),
    ...of('aws', 'rm rb delete-object delete-bucket', ['delete_stored_object', 'storage_bucket']),
    ...of('aws', 'run-instances create-bucket create-stack mb', ['provision_resource']),
    ...of('aws', 'terminate-instances delete-volume delete-stack delete-db-instance', ['destroy_resource']),
    ...of('aws', 'attach-role-policy put-role-policy put-user-policy put-bucket-policy', ['grant_cloud_access']),
    ...each('terraform tofu', ['infrastructure_code', 'infrastructure_state', 'network']),
    ...of('terraform', 'apply', ['apply_infrastructure', 'infrastructure_plan']),
    ...of('terraform', 'plan validate show', ['infrastructure_code', 'plan_infrastructure']),
    ...of('terraform', 'destroy', ['apply_infrastructure', 'destroy_resource', 'infrastructure_plan']),
    ...of('tofu', 'plan validate show', ['infrastructure_code', 'plan_infrastructure']),
    ...of('tofu', 'apply', ['apply_infrastructure', 'infrastructure_plan']),
    ...of('tofu', 'destroy', ['apply_infrastructure', 'destroy_resource', 'infrastructure_plan']),
  },
});

const kubernetes = (): Domain => ({
  programs: {
    ...each('kubectl', ['cluster_context', 'cluster_object', 'network']),
    ...of('kubectl', 'get describe top explain api-resources cluster-info events', [
      'cluster_object',
      'inspect_objects',
    ]),
    ...of('kubectl', 'logs', ['pod', 'read_pod_logs']),
    ...of('kubectl', 'apply create replace patch label annotate set expose edit', ['apply_manifest', 'cluster_object']),
    ...of('kubectl', 'delete', ['cluster_object', 'delete_cluster_object']),
    ...of('kubectl', 'scale autoscale', ['scale_workload', 'workload']),
    ...of('kubectl', 'rollout', ['roll_out', 'workload']),
    ...of('kubectl', 'drain cordon', ['cluster_node', 'drain_node']),
    ...of('kubectl', 'exec cp attach', ['container', 'run_in_container']),
  },
  wrappers: { 'kubectl exec': ['container', 'run_in_container'] },
});

const email = (): Domain => ({
  programs: each('mail mailx sendmail msmtp mutt', ['email_message', 'mail_recipient', 'send_mail']),
});

const payments = (): Domain => ({
  programs: {
    ...each('stripe', ['look_up_payment', 'network', 'payment_service']),
    ...of('stripe', 'refunds', ['payment', 'refund_payment']),
    ...of('stripe', 'payouts transfers', ['account_balance', 'pay_out']),
    ...of('stripe', 'payment_intents charges', ['capture_payment', 'payment']),
    ...of('stripe', 'subscriptions', ['payment_subscription', 'start_subscription']),
  },
});

const DOMAINS: Readonly<Record<MappedDomain, () => Domain>> = { network, http, cloud, kubernetes, email, payments };

/** The domains for which {@link mappingFor} has words. */
export const MAPPED_DOMAINS = Object.keys(DOMAINS) as readonly MappedDomain[];

/**
 * The mapping for a graph that holds the seeds of these domains as well: what programs such as `curl`, `kubectl` or
 * `terraform` do there is said in the words of the domain. Where two domains speak of one program, both count.
 */
export function mappingFor(domains: readonly MappedDomain[], base: ConceptMapping = defaultMapping): ConceptMapping {
  let programs = base.programs;
  let wrappers = base.wrappers ?? {};
  for (const name of new Set(domains)) {
    const domain = DOMAINS[name]();
    programs = merged(programs, domain.programs, uniteConcepts);
    wrappers = merged(wrappers, domain.wrappers ?? {}, (left, right) => [...new Set([...left, ...right])]);
  }
  return { ...base, programs, wrappers };
}

function merged<Value>(
  left: Readonly<Record<string, Value>>,
  right: Readonly<Record<string, Value>>,
  unite: (left: Value, right: Value) => Value,
): Readonly<Record<string, Value>> {
  const all: Record<string, Value> = { ...left };
  for (const [key, value] of Object.entries(right)) {
    const own = Object.hasOwn(all, key) ? all[key] : undefined;
    all[key] = own === undefined ? value : unite(own, value);
  }
  return all;
}

function uniteConcepts(left: ProgramConcepts, right: ProgramConcepts): ProgramConcepts {
  if (isList(left) && isList(right)) return [...new Set([...left, ...right])];
  const [a, b] = [split(left), split(right)];
  return { reads: [...new Set([...a.reads, ...b.reads])], changes: [...new Set([...a.changes, ...b.changes])] };
}

function isList(concepts: ProgramConcepts): concepts is readonly string[] {
  return Array.isArray(concepts);
}

function split(concepts: ProgramConcepts): { readonly reads: readonly string[]; readonly changes: readonly string[] } {
  return isList(concepts) ? { reads: concepts, changes: concepts } : concepts;
}
