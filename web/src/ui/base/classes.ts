/** Joins class names; false and undefined are left out. */
export const classes = (...names: readonly (string | false | undefined | null)[]): string =>
  names.filter(Boolean).join(' ')

/** The frame of every text control: fields, selects, search. */
export const controlFrame =
  'w-full min-h-9 rounded-lg border border-edge/60 bg-card px-3 py-1.5 text-sm text-ink placeholder:text-muted/80 transition-colors data-hovered:border-edge data-focused:border-accent data-focused:outline-2 data-focused:-outline-offset-1 data-focused:outline-accent data-invalid:border-bad data-disabled:bg-sunken data-disabled:text-muted'

export const popoverFrame =
  'min-w-(--trigger-width) max-w-[min(24rem,90vw)] overflow-auto rounded-xl border border-line bg-card p-1 shadow-floating'

export const optionClasses =
  'flex cursor-default items-center gap-2 rounded-lg px-2.5 py-1.5 text-sm outline-none data-focused:bg-sunken data-hovered:bg-sunken data-disabled:opacity-50'
