import { createVirtualClock, type Primitive } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import {
  applyImport,
  exportGraph,
  formatProblem,
  loadSeed,
  loadSeeds,
  parseGraphDocuments,
  planImport,
  SEED_NAMES,
  type SeedName,
} from '../src/documents/index.ts';
import { createMemoryGraphStore, lintGraph } from '../src/index.ts';
import { groundPlainly, type PlainGap } from './plain-grounder.ts';

const DOMAINS = ['network', 'http', 'cloud', 'kubernetes', 'email', 'payments'] as const;
type Domain = (typeof DOMAINS)[number];

/** The graph of some seed files in the order given, at one moment, so that equal knowledge is equal to the byte. */
async function graphOf(files: ReturnType<typeof loadSeeds>, oneByOne = false) {
  const clock = createVirtualClock();
  const store = createMemoryGraphStore({ clock });
  for (const part of oneByOne ? files.map((file) => [file]) : [files]) {
    const parsed = parseGraphDocuments(part);
    if (parsed.type === 'invalid') throw new Error(parsed.problems.map(formatProblem).join('\n'));
    const plan = await planImport(store, parsed.documents, { clock });
    if (plan.type === 'invalid') throw new Error(plan.problems.map(formatProblem).join('\n'));
    expect((await applyImport(store, plan)).type).toBe('applied');
  }
  const primitives: Primitive[] = [];
  for await (const one of store.primitives()) primitives.push(one);
  const view = await store.view(primitives.map(({ name }) => name));
  return { primitives, digest: view.digest };
}

const read = new Map<SeedName, ReturnType<typeof graphOf>>();

async function primitivesOf(name: SeedName): Promise<readonly Primitive[]> {
  const graph = read.get(name) ?? graphOf(loadSeeds([name]));
  read.set(name, graph);
  return (await graph).primitives;
}

/** The concepts that a seed itself defines. */
function ownNames(name: SeedName): readonly string[] {
  const parsed = parseGraphDocuments([loadSeed(name)]);
  if (parsed.type === 'invalid') throw new Error(parsed.problems.map(formatProblem).join('\n'));
  return parsed.documents.flatMap(({ concepts }) => concepts.map((concept) => concept.name));
}

/** A graph in which one level of one concept was never written. */
function without(graph: readonly Primitive[], name: string, level: number): readonly Primitive[] {
  return graph.map((one) =>
    one.name === name ? { ...one, depths: one.depths.filter((depth) => depth.level !== level) } : one,
  );
}

/** What cannot be undone has implications; so only these ground at depth 4. */
const DEEP: Readonly<Record<Domain, string>> = {
  network: 'send_data run_remotely change_firewall',
  http: 'post_resource put_resource patch_resource delete_resource',
  cloud:
    'write_stored_object delete_stored_object provision_resource change_resource destroy_resource grant_cloud_access rotate_credential apply_infrastructure',
  kubernetes: 'apply_manifest roll_out roll_back scale_workload delete_cluster_object run_in_container drain_node',
  email: 'send_mail reply_to_mail forward_mail delete_mail set_mail_rule',
  payments: 'issue_invoice hold_payment capture_payment refund_payment pay_out start_subscription end_subscription',
};

/** What an agent really asks, which must ground: an act, what it works on, and what it is bound by. */
const GROUNDED: Readonly<Record<Domain, readonly string[]>> = {
  network: ['probe_host remote_host', 'send_data credential encrypted_channel', 'run_remotely remote_host delete file'],
  http: ['get_resource url', 'post_resource http_body access_token', 'retry_request idempotent_request rate_limit'],
  cloud: [
    'list_resources cloud_region',
    'destroy_resource virtual_machine',
    'apply_infrastructure infrastructure_plan',
  ],
  kubernetes: ['inspect_objects pod', 'delete_cluster_object namespace', 'roll_out workload container_image'],
  email: ['read_mail mail_attachment file', 'send_mail mail_recipient', 'set_mail_rule mail_folder'],
  payments: ['look_up_payment payment', 'refund_payment payment_dispute', 'capture_payment payer money_amount'],
};

/** What must not ground, and why. */
const REFUSED: Readonly<Record<Domain, readonly (readonly [string, string, number, readonly PlainGap[]])[]>> = {
  network: [
    ['probing has no implications to know', 'probe_host', 4, [{ type: 'depth', concept: 'probe_host' }]],
    ['web requests are another domain', 'send_data http_request', 0, [{ type: 'existence', concept: 'http_request' }]],
  ],
  http: [
    ['reading has no implications to know', 'get_resource', 4, [{ type: 'depth', concept: 'get_resource' }]],
    ['clusters are another domain', 'get_resource pod', 0, [{ type: 'existence', concept: 'pod' }]],
  ],
  cloud: [
    ['a plan changes nothing', 'plan_infrastructure', 4, [{ type: 'depth', concept: 'plan_infrastructure' }]],
    ['http is no part of it', 'list_resources get_resource', 0, [{ type: 'existence', concept: 'get_resource' }]],
  ],
  kubernetes: [
    ['looking has no implications', 'inspect_objects', 4, [{ type: 'depth', concept: 'inspect_objects' }]],
    ['nobody wrote about helm', 'apply_manifest helm', 0, [{ type: 'existence', concept: 'helm' }]],
  ],
  email: [
    ['a draft reaches nobody', 'write_draft', 4, [{ type: 'depth', concept: 'write_draft' }]],
    ['money is another domain', 'send_mail pay_out', 0, [{ type: 'existence', concept: 'pay_out' }]],
  ],
  payments: [
    ['nothing was taken yet', 'cancel_payment', 4, [{ type: 'depth', concept: 'cancel_payment' }]],
    ['mail is another domain', 'issue_invoice send_mail', 0, [{ type: 'existence', concept: 'send_mail' }]],
  ],
};

/** An act stands on what it is bound by: were that level never written, the act would not ground. */
const STANDS_ON: Readonly<Record<Domain, readonly (readonly [string, string, number])[]>> = {
  network: [
    ['send_data', 'encrypted_channel', 3],
    ['run_remotely', 'credential', 3],
    ['change_firewall', 'permission', 1],
  ],
  http: [
    ['post_resource', 'idempotent_request', 3],
    ['authenticate_request', 'http_redirect', 3],
    ['retry_request', 'status_code', 3],
  ],
  cloud: [
    ['destroy_resource', 'storage_volume', 3],
    ['provision_resource', 'cloud_cost', 3],
    ['apply_infrastructure', 'infrastructure_plan', 3],
  ],
  kubernetes: [
    ['delete_cluster_object', 'persistent_volume', 3],
    ['apply_manifest', 'cluster_context', 3],
    ['run_in_container', 'cluster_secret', 3],
  ],
  email: [
    ['send_mail', 'bulk_mail_rule', 3],
    ['forward_mail', 'mail_thread', 3],
    ['read_mail', 'sender_proof', 1],
  ],
  payments: [
    ['capture_payment', 'money_amount', 3],
    ['refund_payment', 'payment_dispute', 3],
    ['pay_out', 'payee', 3],
  ],
};

describe.each(DOMAINS)('the domain %s', (domain) => {
  test('grounds each of its concepts to depth 3, with each other and with what it stands on', async () => {
    const graph = await primitivesOf(domain);
    const names = ownNames(domain);
    for (const [index, one] of names.entries()) {
      expect(groundPlainly(graph, [one], 3), one).toEqual([]);
      for (const other of [...names.slice(index + 1), 'file', 'operating_system'])
        expect(groundPlainly(graph, [one, other]), `${one} + ${other}`).toEqual([]);
    }
  });

  test('knows the implications of what cannot be undone, and of nothing else', async () => {
    const graph = await primitivesOf(domain);
    const deep = ownNames(domain).filter((one) => groundPlainly(graph, [one], 4).length === 0);
    expect([...deep].sort()).toEqual(DEEP[domain].split(' ').sort());
  });

  test.each(GROUNDED[domain])('grounds %s', async (query) => {
    expect(groundPlainly(await primitivesOf(domain), query.split(' '))).toEqual([]);
  });

  test.each(REFUSED[domain])('does not ground where %s: %s at %i', async (_, query, minDepth, gaps) => {
    expect(groundPlainly(await primitivesOf(domain), query.split(' '), minDepth)).toEqual(gaps);
  });

  test.each(STANDS_ON[domain])('does not ground %s when %s lacks level %i', async (act, concept, level) => {
    const graph = await primitivesOf(domain);
    const gaps = groundPlainly(without(graph, concept, level), [act]);
    expect(gaps.map((gap) => gap.concept)).toContain(concept);
  });

  test('is refused without the domains that it stands on', async () => {
    const parsed = parseGraphDocuments([loadSeed(domain)]);
    if (parsed.type === 'invalid') throw new Error('the seed has faults');
    const plan = await planImport(createMemoryGraphStore(), parsed.documents);
    expect(plan.type === 'invalid' ? plan.problems.map(({ code }) => code) : []).toContain('document.dangling-target');
  });

  test('has nothing that lint finds', async () => {
    expect(await lintGraph(await primitivesOf(domain))).toEqual([]);
  });
});

test('no concept is defined in two domains, the one with holes apart', () => {
  const all = SEED_NAMES.filter((name) => name !== 'gaps').flatMap(ownNames);
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});

test('all seeds together have one digest, in whatever order they come', async () => {
  const files = SEED_NAMES.map((name) => loadSeed(name)).filter(({ file }) => !file.startsWith('gaps'));
  const { digest, primitives } = await graphOf(files);
  expect(primitives.length).toBeGreaterThan(200);
  const turned = [...files.slice(4), ...files.slice(0, 4)];
  for (const order of [[...files].reverse(), turned, [...turned].reverse()])
    expect((await graphOf(order)).digest).toBe(digest);
  expect((await graphOf(files, true)).digest).toBe(digest);
});

test('concepts of far domains ground together when their seeds are all there', async () => {
  const { primitives } = await graphOf(loadSeeds(DOMAINS));
  for (const query of ['send_mail refund_payment', 'apply_manifest apply_infrastructure', 'run_remotely pod'])
    expect(groundPlainly(primitives, query.split(' ')), query).toEqual([]);
  expect(groundPlainly(primitives, ['run_remotely', 'drop'])).toEqual([{ type: 'existence', concept: 'drop' }]);
});

test('all seeds together are one document that can be read again, and says the same', async () => {
  const { primitives } = await graphOf(loadSeeds(SEED_NAMES.filter((name) => name !== 'gaps')));
  const text = await exportGraph(primitives, { name: 'all' });
  const again = await graphOf([{ file: 'all.yaml', text }]);
  expect(await exportGraph(again.primitives, { name: 'all' })).toBe(text);
});
