import { createMemoryJournal } from '@warrant/journal';
import { runStory } from './story.ts';

const story = await runStory(createMemoryJournal(), (line) => console.log(line));
process.exitCode = story.faults.length === 0 ? 0 : 1;
for (const fault of story.faults) console.error(`not as it should be: ${fault}`);
