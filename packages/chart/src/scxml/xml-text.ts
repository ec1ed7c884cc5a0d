import type { XmlAttribute, XmlElement } from './xml-element.ts';

/** An element as XML that stands on its own: every namespace it uses is declared in it. `outer` is the default namespace around it. */
export function xmlText(element: XmlElement, outer = ''): string {
  const declared = element.namespace === outer ? '' : ` xmlns="${escapeXml(element.namespace)}"`;
  const head = `<${element.local}${declared}${element.attributes.map(attributeText).join('')}`;
  if (element.children.length === 0) return `${head}/>`;
  const inside = element.children.map((child) =>
    typeof child === 'string' ? escapeXml(child) : xmlText(child, element.namespace),
  );
  return `${head}>${inside.join('')}</${element.local}>`;
}

function attributeText({ uri, local, value }: XmlAttribute, index: number): string {
  if (uri === '') return ` ${local}="${escapeXml(value)}"`;
  return ` xmlns:a${index}="${escapeXml(uri)}" a${index}:${local}="${escapeXml(value)}"`;
}

/** Text and attribute values, white space in attributes kept. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (sign) => ESCAPES[sign] as string);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
