import type { Digest } from '@warrant/core';

/** The vocabulary of runs: small, and aligned to PROV-O by subclassing. */
export const AGENT_VOCABULARY = 'urn:warrant:agent:1#';
export const PROV = 'http://www.w3.org/ns/prov#';
export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
export const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';
export const XSD = 'http://www.w3.org/2001/XMLSchema#';

/** Class by class, what it is in PROV-O. */
export const CLASSES = {
  Run: 'SoftwareAgent',
  Decider: 'Agent',
  Decision: 'Activity',
  LlmCall: 'Activity',
  ToolCall: 'Activity',
  Tool: 'SoftwareAgent',
  Event: 'Entity',
  Plan: 'Plan',
  PlanExecution: 'Activity',
  Grant: 'Entity',
} as const;

/** Plans are named by what they say. */
export function planIri(plan: Digest): string {
  return `urn:warrant:plan:${plan}`;
}

/** Shapes that every graph of a run conforms to, as Turtle for any SHACL engine. */
export const AGENT_SHAPES = `@prefix a: <${AGENT_VOCABULARY}> .
@prefix prov: <${PROV}> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <${XSD}> .

a:DecisionShape a sh:NodeShape ; sh:targetClass a:Decision ;
  sh:property [ sh:path a:state ; sh:minCount 1 ; sh:maxCount 1 ; sh:datatype xsd:string ] ;
  sh:property [ sh:path a:outcome ; sh:minCount 1 ; sh:maxCount 1 ; sh:in ( "accepted" "invalid" "refused" "closed" "open" ) ] ;
  sh:property [ sh:path a:offered ; sh:minCount 1 ; sh:class a:Event ] ;
  sh:property [ sh:path a:chose ; sh:maxCount 1 ; sh:class a:Event ] ;
  sh:property [ sh:path a:confidence ; sh:maxCount 1 ; sh:minInclusive 0 ; sh:maxInclusive 1 ] ;
  sh:property [ sh:path prov:wasAssociatedWith ; sh:minCount 1 ; sh:class a:Decider ] .
a:LlmCallShape a sh:NodeShape ; sh:targetClass a:LlmCall ;
  sh:property [ sh:path a:provider ; sh:minCount 1 ; sh:maxCount 1 ; sh:datatype xsd:string ] ;
  sh:property [ sh:path a:promptHash ; sh:maxCount 1 ; sh:pattern "^sha256:[0-9a-f]{64}$" ] ;
  sh:property [ sh:path a:outcome ; sh:minCount 1 ; sh:maxCount 1 ] .
a:ToolCallShape a sh:NodeShape ; sh:targetClass a:ToolCall ;
  sh:property [ sh:path prov:wasAssociatedWith ; sh:minCount 1 ; sh:maxCount 1 ; sh:class a:Tool ] ;
  sh:property [ sh:path a:outcome ; sh:minCount 1 ; sh:maxCount 1 ] .
a:PlanExecutionShape a sh:NodeShape ; sh:targetClass a:PlanExecution ;
  sh:property [ sh:path a:outcome ; sh:minCount 1 ; sh:maxCount 1 ; sh:in ( "accepted" "rejected" ) ] ;
  sh:property [ sh:path a:ran ; sh:maxCount 1 ; sh:class a:Plan ] .
a:GrantShape a sh:NodeShape ; sh:targetClass a:Grant ;
  sh:property [ sh:path [ sh:inversePath a:grant ] ; sh:minCount 1 ; sh:maxCount 1 ] ;
  sh:property [ sh:path prov:wasDerivedFrom ; sh:maxCount 1 ; sh:class a:Grant ] .
a:RunShape a sh:NodeShape ; sh:targetClass a:Run ;
  sh:property [ sh:path a:chart ; sh:maxCount 1 ; sh:pattern "^sha256:" ] .
`;
