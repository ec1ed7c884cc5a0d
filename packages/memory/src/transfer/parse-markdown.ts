import type { ImportItem, Parsed } from './import-item.ts';

const HEADING = /^(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$/;
const FENCE = /^[ \t]{0,3}(`{3,}|~{3,})/;

/**
 * Sections of notes in the style of CLAUDE.md and AGENTS.md: one for each heading with text of its own, named by the
 * headings above it. Fenced code belongs to its section, front matter to none.
 */
export function parseMarkdown(text: string, where: string): Parsed {
  const items: ImportItem[] = [];
  let path: { readonly depth: number; readonly title: string }[] = [];
  let body: string[] = [];
  let fence: string | undefined;
  const close = (): void => {
    const value = body.join('\n').trim();
    body = [];
    if (value === '') return;
    const titles = path.map(({ title }) => title);
    const name = [where, ...titles.map((title) => title.replaceAll('/', '-'))].join('/');
    items.push({ name, value: [...titles, value].join('\n'), source: where });
  };
  for (const line of withoutFrontMatter(text)) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    const heading = fence === undefined && mark === undefined ? HEADING.exec(line) : null;
    if (heading === null) {
      body.push(line);
      continue;
    }
    close();
    const depth = (heading[1] as string).length;
    path = [...path.filter((one) => one.depth < depth), { depth, title: heading[2] as string }];
  }
  close();
  return { items, problems: [] };
}

function withoutFrontMatter(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines[0] !== '---') return lines;
  const end = lines.indexOf('---', 1);
  return end === -1 ? lines : lines.slice(end + 1);
}
