export { default as KeyMapDialog } from '../keys/key-map-dialog.tsx'
export { default as BlockMenu } from './block-menu.tsx'
export { default as FieldMenu } from './field-menu.tsx'
export { default as InsertMenu } from './insert-menu.tsx'
