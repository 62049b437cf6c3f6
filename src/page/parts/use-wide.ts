import { useEffect, useState } from 'preact/hooks';

/** Whether the window is at least this wide, in pixels. */
export function useWide(pixels: number): boolean {
  const query = `(min-width: ${pixels}px)`;
  const [isWide, setWide] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const update = () => setWide(media.matches);
    media.addEventListener('change', update);
    return () => media.removeEventListener('change', update);
  }, []);
  return isWide;
}
