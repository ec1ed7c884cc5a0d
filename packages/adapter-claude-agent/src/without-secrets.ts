import type { HookCall, HookEvent } from './hook-event.ts';

/**
 * An event whose names hold no secret: they become parts of ids, of concepts and of what is kept of a session. Arguments,
 * results and texts are cleaned where they are used.
 */
export function withCleanNames(event: HookEvent, replace: <T>(value: T) => T): HookEvent {
  const kind = replace(event.kind);
  const common = kind === event.kind ? event : { ...event, kind };
  switch (common.type) {
    case 'tool-starting': {
      const call = withCleanName(common.call, replace);
      const skill = replace(common.skill);
      return call === common.call && skill === common.skill ? common : { ...common, call, skill };
    }
    case 'tool-ended':
    case 'permission-asked':
    case 'permission-denied': {
      const call = withCleanName(common.call, replace);
      return call === common.call ? common : { ...common, call };
    }
    case 'batch-ended':
      return {
        ...common,
        calls: common.calls.map(({ call, result }) => ({ call: withCleanName(call, replace), result })),
      };
    case 'session-started':
      return { ...common, how: replace(common.how) };
    case 'unknown':
      return { ...common, name: replace(common.name) };
    default:
      return common;
  }
}

function withCleanName(call: HookCall, replace: <T>(value: T) => T): HookCall {
  const tool = replace(call.tool);
  return tool === call.tool ? call : { ...call, tool };
}
