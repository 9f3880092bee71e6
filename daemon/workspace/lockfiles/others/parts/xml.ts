// Elements of an XML document by their names.
import { type XmlDocument, XmlElement } from '@rgrove/parse-xml';

/** The outermost element, if it has that name. */
export const outermost = (document: XmlDocument | undefined, name: string): XmlElement | undefined =>
  document?.root?.name === name ? document.root : undefined;

/** The elements that lie under the names, one inside the other: `(pom, 'modules', 'module')`. */
export const elements = (from: XmlElement | undefined, ...names: readonly string[]): readonly XmlElement[] =>
  names.reduce<readonly XmlElement[]>(
    (found, name) => found.flatMap((element) => children(element).filter((child) => child.name === name)),
    from === undefined ? [] : [from],
  );

/** All elements right inside one. */
export const children = (from: XmlElement): readonly XmlElement[] =>
  from.children.filter((child) => child instanceof XmlElement);

/** The text of the first element under the names, without space around; undefined where there is none. */
export const textIn = (from: XmlElement | undefined, ...names: readonly string[]): string | undefined => {
  const text = elements(from, ...names)[0]?.text.trim();
  return text === '' ? undefined : text;
};

/** An attribute that is there and not empty. */
export const attribute = (element: XmlElement, name: string): string | undefined =>
  (Object.hasOwn(element.attributes, name) && element.attributes[name]) || undefined;
