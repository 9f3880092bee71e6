// What of a tool can be searched. Bounded: a description may be 200 KB.
import type { Json, JsonObject, Tool } from '../../schema/tool.ts';
import type { ToolDocument } from '../store/store.ts';
import { wordsOf } from './words.ts';

const MOST_LEAD = 300;
const MOST_BODY = 1500;
const MOST_PARAMETERS = 3000;
const MOST_OF_ONE_PARAMETER = 120;

/** Its first sentence or line, if that is more than a word or two. */
const FIRST_SENTENCE = /^.{20,}?(?:[.!?]\s|[。\n])/su;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Server's values where a text is expected may be anything. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Names, what is said of each in a few words, and what may be chosen: often the only place that names the task. */
const parametersOf = (schema: Json | undefined): string => {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  if (!isObject(properties)) return '';
  const texts = Object.entries(properties).map(([name, property]) => {
    if (!isObject(property)) return name;
    const { description, enum: choices } = property;
    const chosen = Array.isArray(choices) ? choices.slice(0, 20).map(textOf).join(' ') : '';
    return `${name} ${textOf(description).slice(0, MOST_OF_ONE_PARAMETER)} ${chosen}`;
  });
  return texts.join(' ').slice(0, MOST_PARAMETERS);
};

const spaced = (text: string): string => wordsOf(text).join(' ');

export const documentOf = ({ name, title, description, annotations, inputSchema }: Tool): ToolDocument => {
  const text = textOf(description)
    .slice(0, MOST_LEAD + MOST_BODY)
    .trim();
  const lead = (FIRST_SENTENCE.exec(text)?.[0] ?? text).slice(0, MOST_LEAD);
  return {
    name: spaced(name.slice(0, MOST_LEAD)),
    title: spaced((textOf(title) || textOf(annotations?.title)).slice(0, MOST_LEAD)),
    lead: spaced(lead),
    body: spaced(text.slice(lead.length, MOST_BODY)),
    parameters: spaced(parametersOf(inputSchema)),
  };
};
