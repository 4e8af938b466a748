/** Joins class names; false and undefined are left out. */
export const classes = (...names: readonly (string | false | undefined | null)[]): string =>
  names.filter(Boolean).join(' ')

/** The frame of every text control: fields, selects, search. */
export const controlFrame =
  'w-full min-h-9 rounded-lg border border-edge/60 bg-card px-3 py-1.5 text-sm text-ink placeholder:text-muted/80 transition-colors data-hovered:border-edge data-focused:border-accent data-focused:outline-2 data-focused:-outline-offset-1 data-focused:outline-accent data-invalid:border-bad data-disabled:bg-sunken data-disabled:text-muted'
