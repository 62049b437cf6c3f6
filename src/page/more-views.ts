/** Less-used views in one file, which compresses better than one file for each. */
export { ActivityView } from './activity/activity-view.tsx';
export { FilesView } from './files/files-view.tsx';
export { ForksView } from './forks/forks-view.tsx';
export { MemoryView } from './memory/memory-view.tsx';
export { StateView } from './state/state-view.tsx';
