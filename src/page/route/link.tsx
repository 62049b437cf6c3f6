import type { ComponentChildren, JSX } from 'preact';
import { go } from './route.ts';

type Properties = Omit<JSX.AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  to: string;
  children: ComponentChildren;
};

/** A link within the page. With a modifier key or the middle button, the browser handles it. */
export function Link({ to, children, ...rest }: Properties) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a {...rest} href={to} onClick={follow}>
      {children}
    </a>
  );
}
