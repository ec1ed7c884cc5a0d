import { type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { Annotations } from '@warrant/core';
import type { Tracing } from '../host/tracing.ts';
import type { DeciderAnswer } from '../kit.ts';

/**
 * Spans by the conventions for generative AI: of inputs, decisions, model calls and tool calls. Prompts, arguments and
 * answers are not part of them. Without a registered SDK it costs next to nothing.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */
export function openTelemetry(tracer: Tracer = trace.getTracer('@warrant/decide')): Tracing {
  const span = <T>(
    name: string,
    attributes: Record<string, string | number>,
    work: (span: Span) => Promise<T>,
  ): Promise<T> =>
    tracer.startActiveSpan(name, { attributes }, async (active) => {
      try {
        return await work(active);
      } catch (error) {
        active.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        active.end();
      }
    });
  return {
    input: ({ actor, type }, work) =>
      span(
        `invoke_agent ${actor}`,
        { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.id': actor, 'warrant.input.type': type },
        work,
      ),
    decision: ({ actor, request, kind }, work) =>
      span(
        `decide ${request.state}`,
        {
          'gen_ai.agent.id': actor,
          'warrant.decision.id': request.correlation,
          'warrant.decider.kind': kind,
          'warrant.decider': request.binding,
        },
        async (active) => {
          const answer = await work();
          const chosen = answer?.type === 'decision' ? answer.event : (answer?.type ?? 'none');
          active.setAttribute('warrant.decision.event', chosen);
          const { usage, model } = annotationsOf(answer);
          if (model !== undefined) active.setAttribute('gen_ai.response.model', model);
          if (usage !== undefined) setUsage(active, usage);
          return answer;
        },
      ),
    llm: ({ actor, call }, work) =>
      span(
        `chat ${call.request.model}`,
        {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': call.request.provider,
          'gen_ai.request.model': call.request.model,
          'gen_ai.agent.id': actor,
        },
        async (active) => {
          const outcome = await work();
          if (outcome.type === 'llm.result') {
            active.setAttribute('gen_ai.response.model', outcome.data.model);
            setUsage(active, outcome.data.usage);
          } else if (outcome.type === 'llm.error') failed(active, outcome.data.class);
          return outcome;
        },
      ),
    tool: ({ actor, call }, work) =>
      span(
        `execute_tool ${call.tool}`,
        {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': call.tool,
          'gen_ai.tool.call.id': call.effect,
          'gen_ai.agent.id': actor,
        },
        async (active) => {
          const outcome = await work();
          if (outcome.type === 'tool.result' && outcome.data.outcome === 'error') failed(active, outcome.data.class);
          return outcome;
        },
      ),
  };
}

function annotationsOf(answer: DeciderAnswer | undefined): Annotations {
  return answer !== undefined && 'annotations' in answer ? (answer.annotations ?? {}) : {};
}

function setUsage(span: Span, usage: { readonly promptTokens: number; readonly completionTokens: number }): void {
  span.setAttribute('gen_ai.usage.input_tokens', usage.promptTokens);
  span.setAttribute('gen_ai.usage.output_tokens', usage.completionTokens);
}

function failed(span: Span, failure: string): void {
  span.setAttribute('error.type', failure);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
