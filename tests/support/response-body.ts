import type { Responses } from "./responses.generated.ts";

/**
 * The body of a response to a method and a path such as `/api/journal/${string}`: that of a success, and the fields of
 * an error. The test knows which of them it gets: it fails when it reads a field that is not there. For a path that the
 * compiler does not know (`string`), only the fields of an error.
 */
export type BodyOf<Method extends string, Path extends string> = string extends Path
  ? Problem
  : Success<Method, Node<WithoutQuery<Path>>> & Problem;

/** The fields of an error. */
export interface Problem {
  readonly error: string;
  readonly code: string;
  readonly issues: Elements<{ readonly path: string; readonly message: string }>;
}

/** The body of a success; nothing for an unknown path or method. */
type Success<Method extends string, At> = [At] extends [never]
  ? unknown
  : Method extends keyof At
    ? Present<At[Method]>
    : unknown;

type WithoutQuery<Path extends string> = Path extends `${infer Before}?${string}` ? Before : Path;

type Node<Path extends string> = Path extends `/${infer Rest}` ? Below<Responses, Rest> : never;
type Below<Tree, Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? Below<Step<Tree, Segment>, Rest>
  : Step<Tree, Path>;

/** One segment down. A segment known only at run time is a parameter, or any of the names if there is no parameter. */
type Step<Tree, Segment extends string> = Segment extends keyof Tree
  ? Tree[Segment]
  : "{}" extends keyof Tree
    ? Tree["{}"]
    : { [Name in keyof Tree]: Name extends Segment ? Tree[Name] : never }[keyof Tree];

/** The same body with lists whose elements can be read by index. */
type Present<Body> = Body extends readonly (infer Item)[]
  ? Elements<Present<Item>>
  : Body extends object
    ? { [Name in keyof Body]: Present<Body[Name]> }
    : Body;

/** A list of which a test reads elements without asking whether they are there: it fails when one is missing. */
interface Elements<Item> extends Array<Item> {
  0: Item;
  1: Item;
  2: Item;
  3: Item;
  at(index: number): Item;
}
