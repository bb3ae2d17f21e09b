import { h, type FunctionComponent, type VNode } from "preact";
import { useRef } from "preact/hooks";

/** A component that is rendered again only when one of its properties is another value, or a signal that it reads changed. */
export function memo<P extends object>(Of: FunctionComponent<P>): FunctionComponent<P> {
  return function Memo(props: P) {
    const last = useRef<{ readonly props: P; readonly node: VNode<P> } | null>(null);
    // Preact does nothing for an element that is the one of before.
    if (!last.current || !areSame(last.current.props, props))
      last.current = { props, node: h(Of, props) };
    return last.current.node;
  };
}

function areSame(one: object, other: object): boolean {
  const keys = Object.keys(one);
  const values = (of: object, key: string) => (of as Readonly<Record<string, unknown>>)[key];
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => values(one, key) === values(other, key))
  );
}
