import { DataFactory, type Quad, type Quad_Object, type Quad_Subject } from 'n3';
import { asIri } from '../iri.ts';
import type { Provenance } from '../provenance.ts';
import type { DecisionNode, GrantNode, LlmCallNode, PlanNode, ToolCallNode } from '../provenance-nodes.ts';
import { AGENT_VOCABULARY, CLASSES, PROV, planIri, RDF, RDFS, XSD } from './vocabulary.ts';

const namedNode = (iri: string) => DataFactory.namedNode(asIri(iri));
const literal = (text: string, type?: ReturnType<typeof namedNode>) => DataFactory.literal(text, type);
const blankNode = (name: string) => DataFactory.blankNode(name);
const quad = (subject: Quad_Subject, predicate: ReturnType<typeof namedNode>, object: Quad_Object) =>
  DataFactory.quad(subject, predicate, object);
const own = (name: string) => namedNode(AGENT_VOCABULARY + name);
const prov = (name: string) => namedNode(PROV + name);
const TYPE = namedNode(`${RDF}type`);
const REIFIES = namedNode(`${RDF}reifies`);

type Put = (subject: string | Quad_Subject, predicate: ReturnType<typeof namedNode>, object: Quad_Object) => void;

/** A run as RDF 1.2: nodes for what happened, PROV-O between them, a decision's annotations on the triple term `decision a:chose event`. What entries had no room for is counted by `a:omitted`, as long as no machine was given to find it again. */
export function provenanceQuads(provenance: Provenance): readonly Quad[] {
  const quads: Quad[] = [];
  const put: Put = (subject, predicate, object) =>
    void quads.push(quad(typeof subject === 'string' ? namedNode(subject) : subject, predicate, object));
  alignment(put);
  const run = provenance.actor;
  typed(put, run, 'Run');
  if (provenance.program !== null) put(run, own('chart'), literal(provenance.program));
  if (provenance.omitted > 0) put(run, own('omitted'), integer(provenance.omitted));
  for (const decision of provenance.decisions) if (decision.offered.length > 0) decisionQuads(put, decision, run);
  for (const call of provenance.llmCalls) llmQuads(put, call, run);
  for (const call of provenance.toolCalls) if (call.tool !== '') toolQuads(put, call, run);
  for (const plan of provenance.plans) planQuads(put, plan, run);
  for (const grant of provenance.grants) grantQuads(put, grant);
  return quads;
}

/** The axioms are part of the graph, so that queries for PROV-O need no reasoner; the types of both stand at each node. */
function alignment(put: Put): void {
  for (const [name, parent] of Object.entries(CLASSES))
    put(own(name).value, namedNode(`${RDFS}subClassOf`), prov(parent));
}

function typed(put: Put, id: string, type: keyof typeof CLASSES): void {
  put(id, TYPE, own(type));
  put(id, TYPE, prov(CLASSES[type]));
}

const deciderIri = (run: string, binding: string) => `${run}/decider/${encodeURIComponent(binding)}`;
const eventIri = (run: string, event: string) => `${run}/event/${encodeURIComponent(event)}`;
const integer = (value: number) => literal(String(value), namedNode(`${XSD}integer`));
/** `1e-7` is no decimal. */
const DIGITS = { useGrouping: false, maximumFractionDigits: 20 };
const decimal = (value: number) => literal(value.toLocaleString('en-US', DIGITS), namedNode(`${XSD}decimal`));

function decisionQuads(put: Put, decision: DecisionNode, run: string): void {
  const { id, annotations, event } = decision;
  typed(put, id, 'Decision');
  const decider = deciderIri(run, decision.decider);
  typed(put, decider, 'Decider');
  put(id, prov('wasAssociatedWith'), namedNode(decider));
  put(id, own('run'), namedNode(run));
  put(id, own('state'), literal(decision.state));
  put(id, own('outcome'), literal(decision.outcome));
  put(id, own('offeredAt'), integer(decision.offeredAt));
  if (decision.decidedAt !== null) put(id, own('decidedAt'), integer(decision.decidedAt));
  if (decision.at !== null) put(id, prov('endedAtTime'), literal(decision.at, namedNode(`${XSD}dateTime`)));
  if (decision.reason !== null) put(id, own('reason'), literal(decision.reason));
  if (decision.after !== null) put(id, prov('wasInformedBy'), namedNode(decision.after));
  for (const offered of decision.offered) {
    typed(put, eventIri(run, offered), 'Event');
    put(id, own('offered'), namedNode(eventIri(run, offered)));
  }
  if (event === null || decision.outcome !== 'accepted') return;
  const chosen = quad(namedNode(id), own('chose'), namedNode(eventIri(run, event)));
  put(id, own('chose'), chosen.object);
  const reifier = blankNode(`chose-${decision.offeredAt}-${decision.decidedAt ?? 0}`);
  put(reifier, REIFIES, chosen as unknown as Quad_Object);
  annotate(put, reifier, annotations);
}

function annotate(put: Put, reifier: Quad_Subject, annotations: DecisionNode['annotations']): void {
  const { rationale, confidence, kind, model, promptHash, usage, fallback } = annotations;
  for (const [name, value] of Object.entries({ rationale, kind, model, promptHash }))
    if (value !== undefined) put(reifier, own(name), literal(value));
  if (confidence !== undefined) put(reifier, own('confidence'), decimal(confidence));
  if (fallback !== undefined) put(reifier, own('fallback'), literal(String(fallback), namedNode(`${XSD}boolean`)));
  if (usage === undefined) return;
  put(reifier, own('promptTokens'), integer(usage.promptTokens));
  put(reifier, own('completionTokens'), integer(usage.completionTokens));
}

function llmQuads(put: Put, call: LlmCallNode, run: string): void {
  typed(put, call.id, 'LlmCall');
  put(call.id, own('run'), namedNode(run));
  put(call.id, own('provider'), literal(call.provider));
  put(call.id, own('outcome'), literal(call.outcome));
  put(call.id, own('startedAt'), integer(call.startedAt));
  if (call.model !== null) put(call.id, own('model'), literal(call.model));
  if (call.promptHash !== null) put(call.id, own('promptHash'), literal(call.promptHash));
  if (call.after !== null) put(call.id, prov('wasInformedBy'), namedNode(call.after));
  if (call.usage === null) return;
  put(call.id, own('promptTokens'), integer(call.usage.promptTokens));
  put(call.id, own('completionTokens'), integer(call.usage.completionTokens));
}

function toolQuads(put: Put, call: ToolCallNode, run: string): void {
  typed(put, call.id, 'ToolCall');
  typed(put, call.tool, 'Tool');
  put(call.id, own('run'), namedNode(run));
  put(call.id, prov('wasAssociatedWith'), namedNode(call.tool));
  put(call.id, own('outcome'), literal(call.outcome));
  put(call.id, own('startedAt'), integer(call.startedAt));
  if (call.after !== null) put(call.id, prov('wasInformedBy'), namedNode(call.after));
}

function planQuads(put: Put, plan: PlanNode, run: string): void {
  typed(put, plan.id, 'PlanExecution');
  put(plan.id, own('run'), namedNode(run));
  put(plan.id, own('outcome'), literal(plan.outcome));
  put(plan.id, own('startedAt'), integer(plan.startedAt));
  if (plan.class !== null) put(plan.id, own('class'), literal(plan.class));
  if (plan.writtenBy !== null) put(plan.id, prov('wasInformedBy'), namedNode(plan.writtenBy));
  if (plan.plan === null) return;
  // Named by what it says: identical plans are one node.
  const named = planIri(plan.plan);
  typed(put, named, 'Plan');
  put(plan.id, own('ran'), namedNode(named));
  if (plan.writtenBy !== null) put(named, prov('wasGeneratedBy'), namedNode(plan.writtenBy));
  // In PROV-O a plan belongs to the association of an activity with who did it.
  const association = blankNode(`ran-${plan.startedAt}-${plan.id.slice(plan.id.lastIndexOf('.') + 1)}`);
  put(plan.id, prov('qualifiedAssociation'), association);
  put(association, TYPE, prov('Association'));
  put(association, prov('agent'), namedNode(run));
  put(association, prov('hadPlan'), namedNode(named));
}

function grantQuads(put: Put, grant: GrantNode): void {
  typed(put, grant.id, 'Grant');
  put(grant.holder, own('grant'), namedNode(grant.id));
  if (grant.from !== null) put(grant.id, prov('wasDerivedFrom'), namedNode(grant.from));
  for (const kind of ['targets', 'tools', 'deciders', 'functions'] as const)
    for (const name of grant[kind]) put(grant.id, own(kind), literal(name));
}
