// Files that a person drags or pastes.

export const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') ?? false

/** The first picture among files. */
export const pictureIn = (files: FileList): File | undefined =>
  [...files].find(({ type }) => type.startsWith('image/'))

/** A dialog takes files itself. Messages at the edge of the window are `alertdialog`s. */
export const isDialogOpen = (): boolean => document.querySelector('[role=dialog]') !== null
