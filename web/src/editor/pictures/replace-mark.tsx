import { type Box, heightOf, widthOf } from '../canvas/boxes.ts'

/** The image whose picture a dropped file would replace. */
export const ReplaceMark = ({ box }: { readonly box: Box | undefined }) =>
  box && (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute rounded-sm bg-accent/30 outline-2 outline-accent outline-dashed"
      style={{ left: box.left, top: box.top, width: widthOf(box), height: heightOf(box) }}
    />
  )
