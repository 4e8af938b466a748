import { type IconName, OutlineIcon } from '#ui/base/icon.tsx'
import { outlines } from '#ui/base/outlines.ts'
import { editorOutlines } from './editor-outlines.ts'

const all = { ...outlines, ...editorOutlines }
export type EditorIconName = IconName | keyof typeof editorOutlines

interface EditorIconProps {
  readonly name: EditorIconName
  readonly size?: number
  readonly className?: string
}

export const EditorIcon = ({ name, ...rest }: EditorIconProps) => <OutlineIcon path={all[name]} {...rest} />
