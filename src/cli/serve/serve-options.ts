export interface ServeOptions {
  port?: number;
  host?: string;
  tokenFile?: string;
  worker?: boolean;
  open?: boolean;
  json?: boolean;
}
