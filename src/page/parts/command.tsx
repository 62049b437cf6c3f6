import { CopyButton } from './copy-button.tsx';

/** A command to run in a terminal, with a button that copies it. */
export function Command({ text }: { text: string }) {
  return (
    <div class="command-line">
      <pre class="command" tabIndex={0}>
        {text}
      </pre>
      <CopyButton text={text} label="Copy" />
    </div>
  );
}
