export type { DecideBinding, ReadBindings } from './binding.ts';
export { readBindings } from './binding.ts';
export type { ActorDecider } from './deciders/actor.ts';
export { createActorDecider } from './deciders/actor.ts';
export type { GuardRule, RuleDecider } from './deciders/guard.ts';
export { createGuardDecider, firstEnabled, guardDeciderFromChart } from './deciders/guard.ts';
export type { HumanDeciderOptions } from './deciders/human.ts';
export { createHumanDecider, REFUSE } from './deciders/human.ts';
export type { AnswerForm, LlmDeciderOptions } from './deciders/llm.ts';
export { answerSchema, createLlmDecider } from './deciders/llm.ts';
export type { PanelOptions } from './deciders/panel.ts';
export { createPanelDecider } from './deciders/panel.ts';
export type { ScriptedDecider } from './deciders/scripted.ts';
export { createScriptedDecider } from './deciders/scripted.ts';
export type { ShadowOptions } from './deciders/shadow.ts';
export { createShadowDecider, shadowStream } from './deciders/shadow.ts';
export type { DecideErrorCode } from './errors.ts';
export { DECIDE_ERRORS } from './errors.ts';
export type { DecisionExplained } from './explain.ts';
export { explainDecision, renderDecision } from './explain.ts';
export { DECIDE_NAMESPACE, VT_NAMESPACE } from './extensions.ts';
export { EMPTY_GRANT, intersectGrants, isGranted } from './grant.ts';
export { guardToolOutcome } from './guarded-tool.ts';
export type { Rest } from './host/bounded.ts';
export type { Outcome } from './host/calls.ts';
export { MAX_RESULT_BYTES } from './host/calls.ts';
export type { Alternative, Forked } from './host/fork.ts';
export { explore, forkAgent, stateAt } from './host/fork.ts';
export { createAgentHost } from './host/host.ts';
export type { AgentEvent, AgentHost, AgentHostOptions, Injected } from './host/host-types.ts';
export type { Changes } from './host/intents.ts';
export { callKey, correlationIri, parseCorrelation, streamOf } from './host/names.ts';
export type { AgentRecord, ForkedRecord, InputRecord, TakeoverRecord } from './host/record.ts';
export { recordOf } from './host/record.ts';
export { createMemoryTimerIndex } from './host/timer-index.ts';
export type { Tracing } from './host/tracing.ts';
export type { Delivered } from './host/turns.ts';
export { readRecords } from './host/whole.ts';
export type {
  DecisionData,
  EventData,
  Fact,
  Input,
  InvalidReason,
  LlmErrorData,
  LlmResultData,
  Migration,
  ReviewData,
  StartData,
  ToolResultData,
} from './input.ts';
export type { AgentDefinition, AgentKit, AgentTool, DeciderAnswer, SecretUse } from './kit.ts';
export { lintAgentChart } from './lint.ts';
export type { AgentMachine, AgentMachineOptions, Applied } from './machine/machine.ts';
export { createAgentMachine } from './machine/machine.ts';
export { isLegal, migrateState } from './machine/migrate.ts';
export type { AgentCompileOptions, Schemas } from './machine/program.ts';
export type { AgentTimer } from './machine/timers.ts';
export { timersOf } from './machine/timers.ts';
export { createMarkedInbox } from './marked-inbox.ts';
export type { McpClientLike, McpToolDefinition, McpTools, RefusedTool } from './mcp.ts';
export { mcpDefinitionDigest, mcpTools } from './mcp.ts';
export type { Provenance } from './provenance.ts';
export { lineageOf, provenanceOf } from './provenance.ts';
export type { DecisionNode, LlmCallNode, PlanNode, ToolCallNode } from './provenance-nodes.ts';
export type { LanguageModelLike } from './providers/ai-sdk.ts';
export { createAiSdkProvider } from './providers/ai-sdk.ts';
export type { AnthropicOptions } from './providers/anthropic.ts';
export { createAnthropicProvider } from './providers/anthropic.ts';
export type { FetchLike } from './providers/http.ts';
export type { OpenAiOptions } from './providers/openai.ts';
export { createOpenAiProvider } from './providers/openai.ts';
export type { ScriptedProvider, ScriptedReply } from './providers/scripted.ts';
export { createScriptedProvider } from './providers/scripted.ts';
export type { SelfModification, VersionHost } from './self-modification.ts';
export { parseModification, SELF_MODIFICATION_KIND, selfModificationKind } from './self-modification.ts';
export type {
  AgentState,
  Call,
  LlmCall,
  LlmFailureClass,
  LlmRequest,
  MessageCall,
  PlanBounds,
  SessionState,
  Slot,
  SlotCandidate,
  ToolCall,
  ToolFailureClass,
  UsageTotals,
} from './state.ts';
export type { Rendered } from './template.ts';
export { renderTemplate } from './template.ts';
export type { ToolOptions } from './tool.ts';
export { createTool } from './tool.ts';
