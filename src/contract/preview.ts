/*
 * How the page shows what a file holds. It is no operation: only a browser that is signed in gets an answer there. This file
 * imports nothing, so that the page can have it.
 */

/** The path of a version's preview: the bytes of HTML and of pictures, under a policy that lets nothing of them run. */
export const previewPath = "/preview/:board/:file/:version";

/** What a preview can be: a document in a frame, or a picture. */
export type PreviewKind = "html" | "picture";

const isHtml = /^text\/html\s*(;|$)/i;
const isPicture =
  /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)\s*(;|$)/i;
const htmlName = /\.html?$/i;
const pictureName = /\.(png|jpe?g|gif|webp|avif|bmp|ico|svg)$/i;

/** The kind of preview that a version has by its name and by the media type that its writer gave, or null. */
export function previewKindOf(name: string, mediaType: string): PreviewKind | null {
  if (isHtml.test(mediaType)) return "html";
  if (isPicture.test(mediaType)) return "picture";
  return htmlName.test(name) ? "html" : pictureName.test(name) ? "picture" : null;
}
