import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from './announce.tsx';

export function CopyButton({
  text,
  label,
  primary = false,
  onCopy,
}: {
  text: string;
  label: string;
  primary?: boolean;
  onCopy?: () => void;
}) {
  const [isDone, setDone] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (primary) button.current?.focus();
  }, []);
  const copy = async () => {
    await copyText(text);
    onCopy?.();
    setDone(true);
    setTimeout(() => setDone(false), 1600);
  };
  return (
    <button ref={button} type="button" class={primary ? 'primary' : ''} onClick={copy}>
      <span class="swap">
        <span class={isDone ? 'gone' : ''}>{label}</span>
        <span class={isDone ? '' : 'gone'} aria-hidden={!isDone}>
          Copied
        </span>
      </span>
    </button>
  );
}

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce('Copied.');
  } catch {
    announce('The browser did not allow copying. Select the text instead.');
  }
}
