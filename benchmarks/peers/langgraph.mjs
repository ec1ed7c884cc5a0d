// The peer of the agents' benchmark: LangGraph's own loop of a model and its tools, every step kept in SQLite.
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import Database from 'better-sqlite3';

/** `run` takes a task through a tool call, its result and the answer. The model says what it is told to say. */
export function openReactAgent(path) {
  const database = new Database(path);
  // Writes of a step are transactions; a checkpoint is one statement.
  let transactions = 0;
  const transaction = database.transaction.bind(database);
  database.transaction = (work) => {
    const committed = transaction(work);
    return (...args) => {
      transactions += 1;
      return committed(...args);
    };
  };
  const saver = new SqliteSaver(database);
  saver.setup();
  database.pragma('synchronous = FULL');
  const look = tool(async () => ({ found: true }), {
    name: 'look',
    description: 'Looks something up.',
    schema: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
  });
  const model = async ({ messages }) => {
    const answered = messages.at(-1)?.getType() === 'tool';
    const tool_calls = answered ? [] : [{ id: `call-${messages.length}`, name: 'look', args: { id: 1 } }];
    return { messages: [new AIMessage({ content: answered ? 'done' : '', tool_calls })] };
  };
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', model)
    .addNode('tools', new ToolNode([look]))
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', ({ messages }) => (messages.at(-1).tool_calls?.length > 0 ? 'tools' : END))
    .addEdge('tools', 'agent')
    .compile({ checkpointer: saver });
  return {
    run: async (thread) => {
      const config = { configurable: { thread_id: thread } };
      const { messages } = await graph.invoke({ messages: [new HumanMessage('find it')] }, config);
      if (messages.length !== 4) throw new Error(`the run has ${messages.length} messages`);
    },
    commits: () => transactions + database.prepare('SELECT count(*) AS count FROM checkpoints').get().count,
    close: () => database.close(),
  };
}
