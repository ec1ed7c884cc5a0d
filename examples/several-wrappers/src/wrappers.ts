type Call<Args extends readonly unknown[], Result> = (...args: Args) => Promise<Result>;

/** Tries again when the work throws. */
export function retrying<Args extends readonly unknown[], Result>(
  tool: Call<Args, Result>,
  attempts: number,
): Call<Args, Result> {
  return async (...args) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await tool(...args);
      } catch (error) {
        if (attempt >= attempts) throw error;
      }
    }
  };
}

/** Tells what a call came to, and when it began and ended by a counter. */
export function logging<Args extends readonly unknown[], Result>(
  tool: Call<Args, Result>,
  log: (line: string) => void,
): Call<Args, Result> {
  return async (...args) => {
    log('begins');
    const result = await tool(...args);
    log('ends');
    return result;
  };
}
