export interface ServeOptions {
  port?: number | undefined;
  host?: string | undefined;
  tokenFile?: string | undefined;
  worker?: boolean | undefined;
  open?: boolean | undefined;
  json?: boolean | undefined;
}
