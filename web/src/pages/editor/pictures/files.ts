// Files that a person drags or pastes.

export const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') ?? false

/** The first picture among files. */
export const pictureIn = (files: FileList): File | undefined =>
  [...files].find(({ type }) => type.startsWith('image/'))

/** A dialog takes files itself. */
export const isDialogOpen = (): boolean =>
  document.querySelector('[role=dialog], [role=alertdialog]') !== null
