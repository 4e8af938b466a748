export { FieldSection } from '../inspector/field-section.tsx'
export { TextEditing } from './text-editing.tsx'
export { TextTools } from './text-tools.tsx'
