import * as z from 'zod';
import type {
  Depth,
  DepthLevel,
  Edge,
  Gap,
  GraphChange,
  GraphVersion,
  GroundingResult,
  InformedPart,
  Primitive,
  Provenance,
  Relatum,
} from '../knowledge.ts';
import { count, digestSchema, jsonObject, name, text, texts, time } from './values.ts';

const level: z.ZodType<DepthLevel> = z.literal([0, 1, 2, 3, 4]);
const relation = z.enum(['requires', 'depends-on', 'constrained-by', 'applies-to', 'includes']);

const peerSchema = z
  .strictObject({
    name,
    bundle: digestSchema,
    sequence: z.int().min(1),
    mode: z.enum(['grounds', 'informs']),
  })
  .meta({ id: 'PeerAttestation', description: 'Who published what came from a peer, and what it may do here' });
export const provenanceSchema: z.ZodType<Provenance> = z
  .strictObject({
    source: z.enum(['authored', 'learned', 'peer']),
    at: time,
    proposalId: name.exactOptional(),
    document: name.exactOptional(),
    peer: peerSchema.exactOptional(),
  })
  .meta({ id: 'Provenance', description: 'Where knowledge comes from' });
export const relatumSchema: z.ZodType<Relatum> = z
  .strictObject({
    relation,
    target: name,
    targetDepth: level,
    provenance: provenanceSchema,
    metadata: jsonObject.exactOptional(),
  })
  .meta({ id: 'Relatum', description: 'A relation from a level of one concept to a level of another' });
export const depthSchema: z.ZodType<Depth> = z
  .strictObject({ level, properties: jsonObject, relata: z.array(relatumSchema), provenance: provenanceSchema })
  .meta({ id: 'Depth', description: 'One level of knowledge of a concept' });
export const primitiveSchema: z.ZodType<Primitive> = z
  .strictObject({ id: name, name, depths: z.array(depthSchema), provenance: provenanceSchema })
  .meta({ id: 'Primitive', description: 'A concept' });
export const edgeSchema: z.ZodType<Edge> = z
  .strictObject({ source: name, sourceDepth: level, relation, target: name, targetDepth: level })
  .meta({ id: 'Edge', description: 'A relation between two concepts' });

const shortfall = { required: level, current: level.nullable(), missing: z.array(level) };
export const gapSchema: z.ZodType<Gap> = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.enum(['existence', 'reachability']), concept: text, remedy: jsonObject }),
    z.strictObject({ type: z.literal('depth'), concept: text, ...shortfall, remedy: jsonObject }),
    z.strictObject({ type: z.literal('relational'), source: text, target: text, ...shortfall, remedy: jsonObject }),
  ])
  .meta({ id: 'Gap', description: 'What is missing, and what would close it' });
export const graphVersionSchema: z.ZodType<GraphVersion> = z
  .strictObject({ epoch: text, revision: count })
  .meta({ id: 'GraphVersion', description: 'Moves with every change of knowledge' });
const informedSchema: z.ZodType<InformedPart> = z
  .strictObject({
    concept: name,
    level,
    relatum: z.strictObject({ relation, target: name, targetDepth: level }).nullable(),
    peer: name,
    bundle: digestSchema,
  })
  .meta({ id: 'InformedPart', description: 'What a peer told and no verdict counts' });
export const groundingResultSchema: z.ZodType<GroundingResult> = z
  .strictObject({
    grounded: z.boolean(),
    resolved: texts,
    gaps: z.array(gapSchema),
    pathway: z.array(edgeSchema),
    primitives: z.array(primitiveSchema),
    informed: z.array(informedSchema).exactOptional(),
    graph: graphVersionSchema,
    view: digestSchema,
  })
  .meta({ id: 'GroundingResult', description: 'What a check found' });
export const graphChangeSchema: z.ZodType<GraphChange> = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('put-primitive'), primitive: primitiveSchema }),
    z.strictObject({ type: z.literal('put-depth'), primitive: name, depth: depthSchema }),
    z.strictObject({ type: z.enum(['put-relatum', 'remove-relatum']), edge: edgeSchema, provenance: provenanceSchema }),
    z.strictObject({ type: z.literal('remove-primitive'), primitive: name, dangling: z.enum(['refuse', 'remove']) }),
  ])
  .meta({ id: 'GraphChange', description: 'One change of a graph' });
