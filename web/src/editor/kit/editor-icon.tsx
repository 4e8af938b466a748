import { OutlineIcon } from '#ui/base/icon.tsx'
import { type EditorIconName, editorOutlines } from './editor-outlines.ts'

interface EditorIconProps {
  readonly name: EditorIconName
  readonly size?: number
  readonly className?: string
}

export const EditorIcon = ({ name, ...rest }: EditorIconProps) => (
  <OutlineIcon path={editorOutlines[name]} {...rest} />
)
