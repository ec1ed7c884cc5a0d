import { fingerprint, stateOf } from '@warrant/peers';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

export const command: CommandModule = {
  configure: () => undefined,
  run: (call) =>
    withWorkspace(
      call,
      async ({ peers, graph }) => {
        const [pins, states] = [await peers.pins(), await peers.states.read()];
        const known = new Map<string, number>();
        for await (const primitive of graph.primitives({ provenance: 'peer' })) {
          const origins = [primitive, ...primitive.depths, ...primitive.depths.flatMap(({ relata }) => relata)];
          for (const name of new Set(origins.flatMap(({ provenance }) => provenance.peer?.name ?? [])))
            known.set(name, (known.get(name) ?? 0) + 1);
        }
        const rows = pins.map((pin) => {
          const state = stateOf(pin, states);
          const lastSequence = state?.sequence ?? 0;
          const revokedAt = state?.revokedAt ?? null;
          return {
            ...pin,
            fingerprint: fingerprint(pin.publicKey),
            lastSequence,
            revokedAt,
            concepts: known.get(pin.name) ?? 0,
            scope: pin.concepts,
          };
        });
        const lines = rows.map(
          (row) =>
            `${row.name}  ${row.mode}${row.revokedAt === null ? '' : ` (revoked ${row.revokedAt})`}  bundle ${row.lastSequence}, ${row.concepts} concepts\n  ${row.scope.join(', ')} to level ${row.maxLevel}\n  ${row.fingerprint}`,
        );
        print(call, rows, lines.length === 0 ? 'No peer is pinned; `warrant peer add` does it.' : lines.join('\n'));
        return exitCodes.ok;
      },
      { readOnly: true },
    ),
};
