import { Dialog } from '../parts/dialog.tsx';
import { overlay } from './overlay.ts';

const KEYS: [title: string, keys: [key: string, does: string][]][] = [
  [
    'Everywhere',
    [
      ['/', 'search'],
      ['Ctrl K', 'go to a view, a session or a repository (⌘ K on a Mac)'],
      ['?', 'this list'],
      ['Esc', 'close, or leave the input field'],
    ],
  ],
  [
    'Search',
    [
      ['j  k', 'next, previous session'],
      ['Enter', 'open it at the turn that matched, also from the search field'],
      ['f', 'fork it'],
    ],
  ],
  [
    'Session',
    [
      ['j  k', 'scroll down, up'],
      [']  [', 'next, previous turn'],
      ['n  N', 'next, previous match'],
      ['J  K', 'next, previous session of the list beside it'],
      ['f', 'fork, from the turn in view'],
      ['s', 'find in this session'],
      ['*', 'star it, or remove the star'],
      ['e', 'edit its tags and its note'],
      ['o', 'show or hide the outline'],
      ['h', 'show or hide what the model thought'],
      ['t', 'open or close the tool calls of this turn'],
    ],
  ],
];

export function Help() {
  const close = () => {
    overlay.value = null;
  };
  return (
    <Dialog label="Keyboard shortcuts" onClose={close}>
      <h2>Keyboard shortcuts</h2>
      {KEYS.map(([title, keys]) => (
        <section key={title} class="keys">
          <h3>{title}</h3>
          <dl>
            {keys.map(([key, does]) => (
              <div key={key}>
                <dt>
                  {key.split('  ').map((one) => (
                    <kbd key={one}>{one}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <div class="actions">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
