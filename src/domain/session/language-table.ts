/*! Names of programming languages and the endings of their files, made by build/languages.js of linguist-languages (MIT, Copyright (c)
Ika) and devicon (MIT, Copyright (c) 2015 konpa). */

/** A row per language: its name, its other names, the endings of its files (`.ts`) and whole names of files (`Makefile`). */
export const LANGUAGE_TABLE = `
apex .cls .apex
apl .apl .dyalog
assembly asm nasm .asm .a51 .nas .nasm .s
astro .astro
awk .awk .auk .gawk .mawk .nawk
ballerina .bal
c .c .cats .h .idc
c# csharp cake cakescript .cs .csx .linq
c++ cpp .cpp .c++ .cc .cp .cppm .cxx .h++ .hh .hpp .hxx .inl .ino .ipp .ixx .re .tcc .tpp .txx
cairo .cairo
carbon .carbon
ceylon .ceylon
clarity .clar
clojure .clj .bb .boot .cl2 .cljc .cljs .cljscm .cljx .hic
cmake .cmake
cobol .cob .cbl .ccp .cobol .cpy
coffeescript coffee coffee-script .coffee .cjsx .iced Cakefile
crystal .cr
css .css
dart .dart
dockerfile containerfile .dockerfile .containerfile Containerfile Dockerfile
elixir .ex .exs
elm .elm
emacs-lisp cask eask elisp emacs .el .emacs
erlang .erl .escript .hrl .xrl .yrl Emakefile
f# fsharp .fs .fsi .fsx
fortran .f .f77 .for .fpp
gherkin cucumber .feature .story
gleam .gleam
go golang .go
gradle .gradle
graphql .graphql .gql .graphqls
groovy .groovy .grt .gtpl .gvy Jenkinsfile
handlebars hbs htmlbars .handlebars .hbs
haskell .hs .hsc
haxe .hx .hxsl
hcl hashicorp-configuration-language opentofu terraform .hcl .nomad .tf .tfvars .tofu .workflow
html xhtml .html .hta .htm .xht .xhtml
java .java .jav .jsh
javascript js .js .bones .cjs .es6 .frag .gs .jake .javascript .jsb .jscad .jsfl .jslib .jsm .jspre .jss .jsx .mjs .njs .pac .sjs .ssjs .xsjs .xsjslib Jakefile
jinja django html+django html+jinja htmldjango .jinja .j2 .jinja2
julia .jl
jupyter-notebook ipython-notebook .ipynb
kotlin .kt .ktm .kts
labview .lvproj .lvclass .lvlib
less less-css .less
llvm .ll
lua .lua .nse .p8 .rbxs .rockspec .wlua
makefile bsdmake make mf .mak .make .makefile .mk .mkfile BSDmakefile GNUmakefile Makefile
matlab octave .matlab
nim .nim .nimble .nimrod .nims
nix nixos .nix
objective-c obj-c objc objectivec .m
ocaml .ml .eliom .eliomi .ml4 .mli .mll .mly
pascal delphi objectpascal .pas .dfm .dpr .lpr .pascal .pp
perl cperl .pl .al .perl .ph .plx .pm .psgi .t Rexfile
php .php .aw .ctp .php3 .php4 .php5 .phps .phpt Phakefile
postcss .pcss .postcss
powershell posh pwsh .ps1 .psd1 .psm1
prisma .prisma
processing .pde
prolog .plt .pro .prolog .yap
pug .jade .pug
purescript .purs
python py py3 python3 rusthon .py .gyp .gypi .lmi .py3 .pyde .pyi .pyp .pyt .pyw .tac .wsgi .xpy
r rscript splus .r .rd .rhistory .rsx
racket .rkt .rktd .rktl .scrbl
ren-py renpy .rpy
rexx arexx .rexx .pprx .rex
ruby jruby macruby rake rb rbx .rb .builder .eye .gemspec .god .jbuilder .mspec .pluginspec .podspec .prawn .rabl .rake .rbi .rbuild .rbw .rbx .ru .ruby .thor .watchr Berksfile Brewfile Buildfile Capfile Dangerfile Deliverfile Fastfile Gemfile Guardfile Jarfile Mavenfile Podfile Puppetfile Rakefile Snapfile Steepfile Thorfile Vagrantfile
rust rs .rs
sass .sass
scala .scala .kojo .sbt .sc
scss .scss
shell sh shell-script bash zsh .sh .bash .bats .command .ksh .pacscript .sbatch .slurm .tmux .tool .zsh
solidity .sol
sql .sql .ddl .mysql .prc .tab .udf .viw
starlark bazel bzl .bzl .star Tiltfile
stata .ado .doh .ihlp .mata .matah .sthlp
stylus .styl
svelte .svelte
swift .swift
tex latex .tex .aux .bbx .cbx .dtx .lbx .ltx .mkii .mkiv .mkvi .sty
typescript ts tsx typescriptreact .ts .cts .mts .tsx
vala .vala .vapi
vim-script vim viml nvim vimscript .vim .vba .vimrc .vmb
visual-basic-.net visual-basic vbnet vb.net .vb .vbhtml
vue .vue
vyper .vy
webassembly wast wasm .wast .wat
wolfram-language mathematica mma wolfram wolfram-lang wl .mathematica .cdf .ma .mt .nb .nbp .wl .wls .wlt
zig .zig`;
