import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createVirtualClock, type ReviewDecision } from '@warrant/core';
import { afterEach, describe, expect, it } from 'vitest';
import { copyBase, emptyBase, entityProposal, snapshot } from '../../test/folders.ts';
import { createReviewGate } from '../gate.ts';
import type { ReviewGate } from '../gate-types.ts';
import { createFolderReviewStore } from './folder-store.ts';
import { inspectKnowledgeBase } from './knowledge-base.ts';
import { createFolderSettings } from './settings.ts';

const bases: { remove(): void }[] = [];
afterEach(() => {
  for (const base of bases.splice(0)) base.remove();
});

function open(root: string): { readonly gate: ReviewGate; readonly store: ReturnType<typeof createFolderReviewStore> } {
  const store = createFolderReviewStore({ root, durable: false });
  return { store, gate: createReviewGate({ store, settings: createFolderSettings(root) }) };
}

function orchard(): string {
  const base = copyBase('orchard');
  bases.push(base);
  return base.root;
}

async function approve(gate: ReviewGate, id: string, by = 'alice-example'): Promise<ReviewDecision> {
  const seen = await gate.status(id);
  return gate.decide({ proposalId: id, proposal: seen?.proposal ?? 'sha256:', choice: 'approve', by });
}

describe('a review store in a folder', () => {
  it('files, approves and rejects in a knowledge base of vouch and leaves the rest as it was', async () => {
    const root = orchard();
    const before = snapshot(root);
    const { gate, store } = open(root);
    const filed = await gate.file(entityProposal('20261130-010203-0a0b0c0d', 'new-tool', 'scribe-agent'));
    expect(filed.type).toBe('queued');
    expect((await approve(gate, '20261130-010203-0a0b0c0d')).type).toBe('approved');
    expect((await approve(gate, '20261129-202129-11b76aa9')).type).toBe('approved');
    expect((await approve(gate, '20261129-202128-4f57c545')).type).toBe('approved');
    const seen = await gate.status('20261129-202126-8a1f5653');
    const rejected = await gate.decide({
      proposalId: '20261129-202126-8a1f5653',
      proposal: seen?.proposal ?? 'sha256:',
      choice: 'reject',
      by: 'bob-example',
      reason: 'not said anywhere',
    });
    expect(rejected.type).toBe('rejected');
    const base = await inspectKnowledgeBase(store);
    expect(base.audit.chain).toEqual({ ok: true, line: null, reason: null });
    expect(base.entities).toEqual(['importer', 'new-tool', 'platform-team', 'side-table']);
    expect(base.relations).not.toContain('importer-owned-by-platform-team');
    const after = snapshot(root);
    const touched = Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path]);
    expect(touched.sort()).toEqual([
      'audit.log.jsonl',
      'decided/20261129-202126-8a1f5653.yaml',
      'decided/20261129-202128-4f57c545.yaml',
      'decided/20261129-202129-11b76aa9.yaml',
      'decided/20261130-010203-0a0b0c0d.yaml',
      'entities/new-tool.yaml',
      'entities/side-table.yaml',
      'proposed/20261129-202126-8a1f5653.yaml',
      'proposed/20261129-202128-4f57c545.yaml',
      'proposed/20261129-202129-11b76aa9.yaml',
      'relations/importer-owned-by-platform-team.yaml',
    ]);
    expect(after['audit.log.jsonl']?.startsWith(before['audit.log.jsonl'] ?? 'none')).toBe(true);
  });

  it('isolates a torn last line of the audit log, however often it is torn', async () => {
    const root = orchard();
    const log = join(root, 'audit.log.jsonl');
    const fragments: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const whole = readFileSync(log);
      truncateSync(log, whole.length - 15);
      const kept = readFileSync(log, 'utf8');
      fragments.push(kept.split('\n').length);
      const { gate, store } = open(root);
      const id = `20261130-00000${round}-00000000`;
      await gate.file(entityProposal(id, `tool-${round}`, 'scribe-agent'));
      expect((await approve(gate, id)).type).toBe('approved');
      expect(readFileSync(log, 'utf8').startsWith(`${kept}\n`)).toBe(true);
      const first = await inspectKnowledgeBase(store);
      expect(first.audit.unparsable).toEqual(fragments);
      expect(first.audit.events.at(-1)).toBe('proposal.entity.approve');
      expect(await store.verify()).toEqual({ ok: false, line: fragments[0], reason: 'malformed JSON' });
      expect(await store.verify()).toEqual({ ok: false, line: fragments[0], reason: 'malformed JSON' });
      const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
      const whole2 = lines
        .filter((_, index) => !fragments.includes(index + 1))
        .map((line) => JSON.parse(line) as { hash: string; prev_hash: string });
      for (const [index, event] of whole2.entries()) {
        if (index > 0) expect(event.prev_hash).toBe(whole2[index - 1]?.hash);
      }
    }
  });

  it('notices a record changed by hand and refuses the vote on the old one', async () => {
    const root = orchard();
    const { gate } = open(root);
    const id = '20261129-202129-11b76aa9';
    const seen = await gate.status(id);
    const file = join(root, 'proposed', `${id}.yaml`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('Side table', 'Other table'));
    const decision = await gate.decide({
      proposalId: id,
      proposal: seen?.proposal ?? 'sha256:',
      choice: 'approve',
      by: 'bob',
    });
    expect(decision.type).toBe('queued');
    expect(decision.reasons[0]?.code).toBe('review.proposal-changed');
  });

  it('keeps ids inside the folder and refuses symbolic links in it', async () => {
    const base = emptyBase();
    bases.push(base);
    const { gate, store } = open(base.root);
    for (const id of ['../../escaped', '/etc/x', 'a/b', '..', '.', 'a\u0000b', 'con', '', 'a'.repeat(300), '.hidden']) {
      const payload = { id, name: 'n', type: 'tool' };
      const decision = await gate.file({ ...entityProposal('20261130-000000-00000001', 'x'), payload });
      expect(decision.type, JSON.stringify(id)).toBe('invalid');
      expect((await gate.file({ ...entityProposal('x', 'x'), id })).type).toBe('invalid');
      expect(await store.artifact('entity', id)).toBeUndefined();
    }
    symlinkSync('/etc/passwd', join(base.root, 'proposed', 'link.yaml'));
    symlinkSync('/etc/passwd', join(base.root, 'entities', 'linked.yaml'));
    expect(await store.skipped()).toEqual([{ file: 'proposed/link.yaml', reason: 'not a regular file' }]);
    expect(await store.artifact('entity', 'linked')).toBeUndefined();
    rmSync(join(base.root, 'claims'), { recursive: true });
    symlinkSync('/tmp', join(base.root, 'claims'));
    await expect(gate.file(entityProposal('20261130-000000-00000002', 'y'))).rejects.toMatchObject({
      code: 'REVIEW_FOLDER_INVALID',
    });
  });

  it('reads a record whose file has another name, and decides it under its id', async () => {
    const root = orchard();
    const { gate } = open(root);
    const text = readFileSync(join(root, 'proposed', '20261129-202129-11b76aa9.yaml'), 'utf8');
    writeFileSync(
      join(root, 'proposed', 'odd.yaml'),
      text.replaceAll('20261129-202129-11b76aa9', 'odd-id').replaceAll('side-table', 'odd-table'),
    );
    expect((await approve(gate, 'odd-id')).type).toBe('approved');
    const after = snapshot(root);
    expect(after['proposed/odd.yaml']).toBeUndefined();
    expect(after['decided/odd-id.yaml']).toContain('status: approved');
  });

  it.each(['renamed.yaml', '20200101-000000-00000000.yaml'])('finds an id of its own form in %s', async (name) => {
    const root = orchard();
    const id = '20261129-202129-11b76aa9';
    renameSync(join(root, 'proposed', `${id}.yaml`), join(root, 'proposed', name));
    const { gate } = open(root);
    expect((await approve(gate, id)).type).toBe('approved');
    const after = snapshot(root);
    expect(after[`proposed/${name}`]).toBeUndefined();
    expect(after[`decided/${id}.yaml`]).toContain('status: approved');
  });

  it('notices that a file it knew has come to hold another id', async () => {
    const root = orchard();
    const { gate } = open(root);
    const id = '20261129-202129-11b76aa9';
    expect((await gate.status(id))?.type).toBe('queued');
    const file = join(root, 'proposed', `${id}.yaml`);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(id, 'moved'));
    expect(await gate.status(id)).toBeUndefined();
    expect((await gate.status('moved'))?.type).toBe('queued');
  });

  it('never approves under a configuration that cannot be read', async () => {
    const base = emptyBase();
    bases.push(base);
    const { gate } = open(base.root);
    writeFileSync(
      join(base.root, 'config.yaml'),
      'review:\n  policy:\n    default: auto_approve\n    default: block\n',
    );
    const decision = await gate.file(entityProposal('20261130-000000-00000003', 'z'));
    expect(decision.type).toBe('queued');
    expect(decision.reasons.map((reason) => reason.code)).toContain('review.policy-invalid');
    expect((await gate.counts()).policy).toBe('invalid');
  });

  it('never ends waiting in an approval', async () => {
    const root = orchard();
    const clock = createVirtualClock('2027-06-01T00:00:00.000Z');
    const store = createFolderReviewStore({ root, durable: false, clock });
    const gate = createReviewGate({ store, clock, settings: createFolderSettings(root) });
    const expired = await gate.expire();
    expect(expired.map((decision) => decision.type)).toEqual(['expired', 'expired', 'expired', 'expired']);
    const base = await inspectKnowledgeBase(store);
    expect(base.audit.events.filter((event) => event === 'proposal.expire')).toHaveLength(4);
    expect(base.entities).toEqual(['importer', 'platform-team']);
  });

  it('keeps members that it does not know when a record is decided', async () => {
    const base = copyBase('lagoon');
    bases.push(base);
    const { gate } = open(base.root);
    mkdirSync(join(base.root, 'sources'), { recursive: true });
    const seen = await gate.status('20260101-000000-aaaaaaaa');
    await gate.decide({
      proposalId: '20260101-000000-aaaaaaaa',
      proposal: seen?.proposal ?? 'sha256:',
      choice: 'reject',
      by: 'bob-example',
      reason: 'old',
    });
    expect(snapshot(base.root)['decided/20260101-000000-aaaaaaaa.yaml']).toContain('unknown_field: kept by nobody');
  });

  it('takes sources whose content is whole as evidence, and claims for pages alone', async () => {
    const root = orchard();
    const { store } = open(root);
    const source = '56c7862442624ae7599d1e16c3aa55bb776a6e9aaa9cff45e8a6854d81d53cd4';
    const claim = 'nightly-jobs-move-to-02-00-utc';
    expect(await store.known([source, claim, 'nothing', '../config'], 'claim')).toEqual([source]);
    expect(await store.known([source, claim, 'nothing'], 'page')).toEqual([source, claim]);
    appendFileSync(join(root, 'sources', source, 'content'), 'more');
    expect(await store.known([source], 'claim')).toEqual([]);
  });

  it('appends in constant time, whatever is in the log', async () => {
    const base = emptyBase();
    bases.push(base);
    appendFileSync(join(base.root, 'audit.log.jsonl'), `${'x'.repeat(200_000)}\n`);
    const { gate, store } = open(base.root);
    await gate.file(entityProposal('20261130-000000-00000004', 'after'));
    expect((await inspectKnowledgeBase(store)).audit.events).toEqual(['proposal.entity.create']);
  });
});
