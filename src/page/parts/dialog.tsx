import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A modal dialog: the browser keeps the focus inside, and Escape closes it. */
export function Dialog(properties: {
  label: string;
  onClose: () => void;
  wide?: boolean;
  children: ComponentChildren;
}) {
  const { label, onClose, wide = false, children } = properties;
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  const closeOutside = (event: MouseEvent) => {
    if (event.target === element.current) onClose();
  };
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog
      ref={element}
      aria-label={label}
      class={wide ? 'wide' : ''}
      onClick={closeOutside}
      onCancel={cancel}
    >
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
