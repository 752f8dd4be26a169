import { headers, type ShareX } from '@svc/contract'

/**
 * The ShareX configuration of this server: a double click on the file installs it.
 * @param base address of the web application, with a trailing slash
 */
export function shareX(base: string): ShareX {
  return {
    Version: '14.0.0',
    // Distinguishes several servers in the list of ShareX.
    Name: `Svc at ${new URL(base).host}`,
    DestinationType: 'ImageUploader, TextUploader, FileUploader',
    RequestMethod: 'POST',
    RequestURL: base,
    Body: 'MultipartFormData',
    FileFormName: 'file',
    // The response is the link and a line break, which the dot does not match.
    URL: '{regex:http.+}',
    // A page with a button, because opening the link must not remove the upload.
    DeletionURL: `${base}#/?id={header:${headers.uploadId}}&uploadToken={header:${headers.uploadToken}}`,
    ErrorMessage: '{response}',
  }
}
