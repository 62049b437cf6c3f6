import { signal } from '@preact/signals';

const message = signal('');
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a message for a moment, and announces it to screen readers. */
export function announce(text: string): void {
  message.value = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    message.value = '';
  }, 2400);
}

export function Announcements() {
  return (
    <div class={message.value === '' ? 'toast' : 'toast shown'} role="status">
      {message.value}
    </div>
  );
}
