import assert from 'node:assert/strict';
import {
  AT,
  approved,
  collect,
  commitOf,
  eventOf,
  POLICY,
  type ReviewStoreCase,
  recordOf,
} from './review-store-harness.ts';

/** Every case of the kit but the model test, for those who run them with another test runner. */
export const reviewStoreCases: readonly ReviewStoreCase[] = [
  {
    name: 'gives back what was committed, member by member',
    run: async ({ store }) => {
      const record = recordOf('p1', {
        rule: 'r',
        policy: POLICY,
        facts: ['kind=entity'],
        context: { known_ids: ['s1'], now: AT },
        approvals: 2,
        asked: 3,
        votes: [
          {
            questionId: 'p1/1',
            subject: POLICY,
            choice: 'approve',
            answeredBy: 'kim',
            answeredAt: AT,
            reason: 'yes: no',
          },
        ],
        failure: [{ code: 'review.x', message: "it's\nodd", data: { path: '/a' } }],
      });
      const odd = {
        ...record,
        proposal: {
          ...record.proposal,
          rationale: ' # "odd"\t: ✓ ',
          payload: { ...record.proposal.payload, __proto: [1, { a: null }], yes: 'no', n: '0777' },
        },
      };
      const result = await store.commit(commitOf('p1', { record: odd }));
      assert.equal(result.type, 'committed');
      assert.deepEqual((await store.read('p1'))?.record, odd);
    },
  },
  {
    name: 'knows nothing of what was not committed',
    run: async ({ store }) => {
      assert.equal(await store.read('p1'), undefined);
      assert.equal(await store.artifact('entity', 'e-p1'), undefined);
      assert.deepEqual(await collect(store.list()), []);
      assert.deepEqual(await collect(store.events()), []);
      assert.deepEqual(await store.verify(), { ok: true, line: null, reason: null });
    },
  },
  {
    name: 'refuses a commit on a version that is not the current one',
    run: async ({ store }) => {
      await store.commit(commitOf('p1'));
      const stored = await store.read('p1');
      assert.deepEqual(await store.commit(commitOf('p1')), { type: 'conflict', actual: stored?.version ?? null });
      const missing = await store.commit(commitOf('p2', { expected: 'nonsense' }));
      assert.deepEqual(missing, { type: 'conflict', actual: null });
      assert.equal((await collect(store.events())).length, 1);
    },
  },
  {
    name: 'changes the version with the record',
    run: async ({ store }) => {
      await store.commit(commitOf('p1'));
      const first = await store.read('p1');
      const change = commitOf('p1', { expected: first?.version ?? null, record: approved(recordOf('p1')) });
      const result = await store.commit(change);
      const second = await store.read('p1');
      assert.notEqual(second?.version, first?.version);
      assert.deepEqual(result, { type: 'committed', version: second?.version ?? null });
      assert.equal(second?.record.status, 'approved');
    },
  },
  {
    name: 'creates, replaces and deletes artifacts together with the record',
    run: async ({ store }) => {
      const body = { id: 'e-p1', name: 'one', type: 'tool' };
      const create = { type: 'create', kind: 'entity', id: 'e-p1', body } as const;
      await store.commit(commitOf('p1', { record: approved(recordOf('p1')), artifacts: [create] }));
      assert.deepEqual(await store.artifact('entity', 'e-p1'), body);
      const replaced = { ...body, name: 'two' };
      const replace = { ...create, type: 'replace', body: replaced } as const;
      await store.commit(commitOf('p2', { record: approved(recordOf('p2')), artifacts: [replace] }));
      assert.deepEqual(await store.artifact('entity', 'e-p1'), replaced);
      const remove = { type: 'delete', kind: 'entity', id: 'e-p1' } as const;
      await store.commit(commitOf('p3', { record: approved(recordOf('p3')), artifacts: [remove] }));
      assert.equal(await store.artifact('entity', 'e-p1'), undefined);
      const again = await store.commit(commitOf('p4', { record: approved(recordOf('p4')), artifacts: [remove] }));
      assert.equal(again.type, 'committed');
    },
  },
  {
    name: 'commits nothing at all when an artifact is in the way',
    run: async ({ store }) => {
      const body = { id: 'x', name: 'one', type: 'tool' };
      const create = (id: string) => ({ type: 'create', kind: 'entity', id, body: { ...body, id } }) as const;
      await store.commit(commitOf('p1', { artifacts: [create('x')] }));
      const result = await store.commit(commitOf('p2', { artifacts: [create('y'), create('x')] }));
      assert.deepEqual(result, { type: 'artifact-conflict', kind: 'entity', id: 'x' });
      assert.equal(await store.artifact('entity', 'y'), undefined);
      assert.equal(await store.read('p2'), undefined);
      const replace = { type: 'replace', kind: 'entity', id: 'z', body } as const;
      assert.equal((await store.commit(commitOf('p3', { artifacts: [replace] }))).type, 'artifact-conflict');
      assert.equal((await collect(store.events())).length, 1);
    },
  },
  {
    name: 'keeps pages with bodies of any form',
    run: async ({ store }) => {
      const bodies = ['', 'a', 'a\n', '\n\na', '---\nb\n---\n', 'x\n---\ny', ' ---', '---'];
      for (const [index, text] of bodies.entries()) {
        const id = `page-${index}`;
        const body = { id, title: 't: x', type: 'concept', claims: [], metadata: { k: ['v'] }, body: text };
        await store.commit(commitOf(`p${index}`, { artifacts: [{ type: 'create', kind: 'page', id, body }] }));
        assert.deepEqual(await store.artifact('page', id), body);
      }
    },
  },
  {
    name: 'lists pending ones first, each group by id, and by status',
    run: async ({ store }) => {
      for (const id of ['b', 'd', 'a', 'c']) {
        const record = id === 'a' || id === 'd' ? approved(recordOf(id)) : recordOf(id);
        await store.commit(commitOf(id, { record }));
      }
      const ids = async (status?: 'pending' | 'approved'): Promise<readonly string[]> =>
        (await collect(store.list(status && { status }))).map(({ record }) => record.proposal.id);
      assert.deepEqual(await ids(), ['b', 'c', 'a', 'd']);
      assert.deepEqual(await ids('pending'), ['b', 'c']);
      assert.deepEqual(await ids('approved'), ['a', 'd']);
    },
  },
  {
    name: 'chains events in the order of commits and verifies the chain',
    run: async ({ store }) => {
      await store.commit(commitOf('p1'));
      const second = { ...eventOf('proposal.policy_blocked', 'p2'), dryRun: true };
      await store.commit(commitOf('p2', { record: null, events: [second, eventOf('last', 'p2')] }));
      const events = await collect(store.events());
      assert.deepEqual(
        events.map((item) => item.event),
        ['proposal.entity.create', 'proposal.policy_blocked', 'last'],
      );
      assert.equal(events[0]?.previous, '0'.repeat(64));
      assert.equal(events[1]?.previous, events[0]?.hash);
      assert.equal(events[2]?.previous, events[1]?.hash);
      assert.equal(new Set(events.map((item) => item.id)).size, 3);
      assert.equal(events[1]?.dryRun, true);
      assert.deepEqual(events[0]?.data, { ünï: 'ß€😀' });
      assert.equal(await store.read('p2'), undefined);
      assert.equal((await store.verify()).ok, true);
    },
  },
  {
    name: 'lets one of several concurrent commits on the same version through',
    run: async ({ store, another }) => {
      const other = (await another?.()) ?? store;
      await store.commit(commitOf('p1'));
      const seen = await store.read('p1');
      const expected = seen?.version ?? null;
      const record = approved(recordOf('p1'));
      const results = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          (index % 2 === 0 ? store : other).commit(
            commitOf('p1', { expected, record, events: [eventOf(`e${index}`, 'p1')] }),
          ),
        ),
      );
      assert.equal(results.filter((result) => result.type === 'committed').length, 1);
      assert.equal((await collect(store.events())).length, 2);
      assert.equal((await store.verify()).ok, true);
    },
  },
  {
    name: 'shows at once what another one committed',
    needs: 'another',
    run: async ({ store, another }) => {
      const other = await another?.();
      assert.ok(other);
      assert.deepEqual(await collect(store.list()), []);
      await other.commit(commitOf('p1'));
      assert.equal((await store.read('p1'))?.record.proposal.id, 'p1');
      assert.equal((await collect(store.list())).length, 1);
      await store.commit(commitOf('p2'));
      assert.equal((await collect(other.events())).length, 2);
      assert.equal((await other.verify()).ok, true);
    },
  },
  {
    name: 'keeps everything when it is opened again',
    needs: 'reopen',
    run: async ({ store, reopen }) => {
      await store.commit(commitOf('p1'));
      const before = await store.read('p1');
      const again = await reopen?.();
      assert.ok(again);
      assert.deepEqual(await again.read('p1'), before);
      assert.equal((await collect(again.events())).length, 1);
    },
  },
];
