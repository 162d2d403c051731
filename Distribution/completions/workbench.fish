function __workbench_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __workbench_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __workbench_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __workbench_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __workbench_parse_tokens -S
    set -l unparsed_tokens (__workbench_tokens -pc)
    switch $unparsed_tokens[1]
    case 'workbench'
        __workbench_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'prompt'
            __workbench_parse_subcommand 1 'fail-fast' 'set=+' 'vars=+' 'env-file=+' 'use=+' 'color=' 'version' 'h/help'
        case 'send'
            __workbench_parse_subcommand -r 1 'o/output=' 'p/profile=' 'd/data=+' 'form' 'b/body' 'headers' 'ignore-stdin' 'q/quiet' 'v/verbose' 'H/header=+' 'u/user=' 'X/request=' 'i/include' 'I/head' 'a/auth=' 'A/auth-type=' 'set=+' 'vars=+' 'env-file=+' 'use=+' 'color=' 'version' 'h/help'
        case 'run'
            __workbench_parse_subcommand 2 'set=+' 'vars=+' 'env-file=+' 'use=+' 'v/verbose' 'q/quiet' 'json' 'report=+' 'keep-going' 'update-snapshots' 'no-record' 'store=' 'color=' 'version' 'h/help'
        case 'test'
            __workbench_parse_subcommand -r 1 'j/jobs=' 'fail-fast' 'repeat=' 'retry-failed=' 'only=' 'tags=+' 'shard=' 'list' 'set=+' 'vars=+' 'env-file=+' 'use=+' 'report=+' 'v/verbose' 'json' 'keep-going' 'update-snapshots' 'no-record' 'store=' 'color=' 'version' 'h/help'
        case 'bulk'
            __workbench_parse_subcommand 2 'rows=' 'j/jobs=' 'rate=' 'out=' 'select=+' 'failed=' 'unknown=' 'stop-after=' 'shard=' 'resume=' 'retry-failed' 'set=+' 'vars=+' 'env-file=+' 'use=+' 'report=+' 'v/verbose' 'q/quiet' 'keep-going' 'no-record' 'store=' 'color=' 'version' 'h/help'
        case 'report'
            __workbench_parse_subcommand -r 1 'report=+' 'store=' 'color=' 'version' 'h/help'
        case 'debug'
            __workbench_parse_subcommand 2 'set=+' 'vars=+' 'env-file=+' 'use=+' 'break-on=+' 'run=' 'no-record' 'store=' 'color=' 'version' 'h/help'
        case 'resume'
            __workbench_parse_subcommand 1 'from=' 'accept-changes' 'again=+' 'done=+' 'give-up' 'set=+' 'vars=+' 'env-file=+' 'use=+' 'v/verbose' 'q/quiet' 'json' 'store=' 'color=' 'version' 'h/help'
        case 'runs'
            __workbench_parse_subcommand 0 'c/count=' 'all' 'json' 'keep=' 'store=' 'color=' 'version' 'h/help'
        case 'show'
            __workbench_parse_subcommand 2 'request' 'response' 'body' 'har' 'tries' 'store=' 'color=' 'version' 'h/help'
        case 'replay'
            __workbench_parse_subcommand 1 'script=' 'set=+' 'vars=+' 'env-file=+' 'use=+' 'v/verbose' 'json' 'store=' 'color=' 'version' 'h/help'
        case 'diff'
            __workbench_parse_subcommand 2 'store=' 'color=' 'version' 'h/help'
        case 'queue'
            __workbench_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'add'
                __workbench_parse_subcommand 2 'set=+' 'vars=+' 'env-file=+' 'use=+' 'key=' 'shared-files' 'store=' 'color=' 'version' 'h/help'
            case 'run'
                __workbench_parse_subcommand 0 'j/jobs=' 'v/verbose' 'q/quiet' 'env-file=+' 'store=' 'color=' 'version' 'h/help'
            case 'list'
                __workbench_parse_subcommand 0 'json' 'store=' 'color=' 'version' 'h/help'
            case 'show'
                __workbench_parse_subcommand 1 'store=' 'color=' 'version' 'h/help'
            case 'retry'
                __workbench_parse_subcommand -r 1 'store=' 'version' 'h/help'
            case 'drop'
                __workbench_parse_subcommand -r 1 'store=' 'version' 'h/help'
            case 'work'
                __workbench_parse_subcommand 0 'j/jobs=' 'until-empty' 'v/verbose' 'q/quiet' 'env-file=+' 'store=' 'color=' 'version' 'h/help'
            case 'status'
                __workbench_parse_subcommand 0 'store=' 'color=' 'version' 'h/help'
            case 'migrate'
                __workbench_parse_subcommand 0 'store=' 'version' 'h/help'
            end
        case 'check'
            __workbench_parse_subcommand -r 1 'vars=+' 'env-file=+' 'use=+' 'color=' 'version' 'h/help'
        case 'fmt'
            __workbench_parse_subcommand -r 1 'check' 'color=' 'version' 'h/help'
        case 'eval'
            __workbench_parse_subcommand 2 'text' 'r/raw' 'color=' 'version' 'h/help'
        case 'select'
            __workbench_parse_subcommand 2 'lines' 'version' 'h/help'
        case 'import'
            __workbench_parse_subcommand -r 1 'o/output=' 'strict' 'exact' 'env=' 'set=+' 'color=' 'version' 'h/help'
        case 'export'
            __workbench_parse_subcommand 2 'color=' 'version' 'h/help'
        case 'auth'
            __workbench_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'login'
                __workbench_parse_subcommand 1 'script=' 'vars=+' 'env-file=+' 'use=+' 'color=' 'version' 'h/help'
            case 'logout'
                __workbench_parse_subcommand 1 'script=' 'vars=+' 'env-file=+' 'use=+' 'color=' 'version' 'h/help'
            case 'status'
                __workbench_parse_subcommand 1 'script=' 'vars=+' 'env-file=+' 'use=+' 'color=' 'version' 'h/help'
            case 'refresh'
                __workbench_parse_subcommand 1 'script=' 'vars=+' 'env-file=+' 'use=+' 'color=' 'version' 'h/help'
            end
        case 'presign'
            __workbench_parse_subcommand 3 'expires=' 'script=' 'vars=+' 'env-file=+' 'use=+' 'color=' 'version' 'h/help'
        case 'doctor'
            __workbench_parse_subcommand 0 'store=' 'color=' 'version' 'h/help'
        case 'help'
            __workbench_parse_subcommand -r 1 'version'
        end
    end
end

function __workbench_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __workbench_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql _flag_(string replace -a - _ -- $non_repeating_flag_or_option)
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __workbench_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __workbench_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__workbench_tokens -p)
    if test -z (__workbench_tokens -t | string collect)
        set -l index (count (__workbench_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'workbench' -f
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'prompt' -d 'Type requests at a prompt. (This is what workbench does without a subcommand.)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'send' -d 'Send a request.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'run' -d 'Run a saved script.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'test' -d 'Run many scripts, each on its own, and summarize them.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'bulk' -d 'Run a sequence for each row of a file.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'report' -d 'Write reports of a recorded run or suite, or of the shards of a suite.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'debug' -d 'Run a saved script step by step.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'resume' -d 'Continue a run that failed or was interrupted.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'runs' -d 'List recorded runs, the newest first.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'show' -d 'Show a recorded run, or one of its steps.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'replay' -d 'Run a script over the responses of a recorded run, without a network.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'diff' -d 'Compare two recorded runs, step by step.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'queue' -d 'Record scripts to be run later, and run them when there is a network.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'check' -d 'Find what is wrong with scripts, without sending anything.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'fmt' -d 'Rewrite scripts in the canonical style.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'eval' -d 'Print the value of an expression.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'select' -d 'Print what a JSONPath (RFC 9535) finds in JSON.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'import' -d 'Make scripts of what other tools wrote: hurl, http or curl.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'export' -d 'Write a script as other tools take it: curl or hurl.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'auth' -d 'Sign in to a profile, sign out, or see how long that lasts.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'presign' -d 'Print a URL that is signed with the keys of a profile.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'doctor' -d 'Check what workbench depends on here, and say what is missing and what to do.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench prompt" fail-fast' -l 'fail-fast' -d 'End at the first request that fails, when the input is not a terminal.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench prompt"' -l 'set' -d 'Give a let, or a parameter of the sequence, this value.' -rfka '(__workbench_custom_completion ---completion prompt -- --set (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench prompt"' -l 'vars' -d 'Give lets and parameters the values of a map in JSON or YAML; names that the script lacks are ignored.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench prompt"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench prompt"' -l 'use' -d 'Use the let, secret and profile statements of this script in place of those of the same names.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench prompt" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench prompt" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench prompt" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" o output' -l 'output' -s 'o' -d 'Write the body to this file.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" p profile' -l 'profile' -s 'p' -d 'The profile that /paths go to.' -rfka '(__workbench_custom_completion ---completion send -- --profile (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send"' -l 'data' -s 'd' -d 'The body, as for curl: a=1&b=2 or @file.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" form' -l 'form' -d 'The items are a form, as with HTTPie\'s --form.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" b body' -l 'body' -s 'b' -d 'Show the body only, byte for byte.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" headers' -l 'headers' -d 'Show the status and the headers only.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" ignore-stdin' -l 'ignore-stdin' -d 'Never read standard input.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" q quiet' -l 'quiet' -s 'q' -d 'Remark on nothing; errors are reported as ever.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" v verbose' -l 'verbose' -s 'v' -d 'Show the request and the headers too.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send"' -s 'H' -l 'header' -d 'A header, as for curl: Name: value.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" u user' -s 'u' -l 'user' -d 'Who signs in, as for curl: user:password.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" X request' -s 'X' -l 'request' -d 'The method, as for curl.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" i include' -s 'i' -l 'include' -d 'Show the status and the headers before the body, as for curl.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" I head' -s 'I' -l 'head' -d 'Send HEAD, as for curl.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" a auth' -s 'a' -l 'auth' -d 'Who signs in, as for HTTPie: user:password, or a token.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" A auth-type' -s 'A' -l 'auth-type' -d 'How: basic, digest or bearer, as for HTTPie.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send"' -l 'set' -d 'Give a let, or a parameter of the sequence, this value.' -rfka '(__workbench_custom_completion ---completion send -- --set (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send"' -l 'vars' -d 'Give lets and parameters the values of a map in JSON or YAML; names that the script lacks are ignored.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send"' -l 'use' -d 'Use the let, secret and profile statements of this script in place of those of the same names.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench send" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench run" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench run" -eq 2' -fka '(__workbench_custom_completion ---completion run -- positional@1 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench run"' -l 'set' -d 'Give a let, or a parameter of the sequence, this value.' -rfka '(__workbench_custom_completion ---completion run -- --set (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench run"' -l 'vars' -d 'Give lets and parameters the values of a map in JSON or YAML; names that the script lacks are ignored.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench run"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench run"' -l 'use' -d 'Use the let, secret and profile statements of this script in place of those of the same names.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench run" v verbose' -l 'verbose' -s 'v' -d 'Show requests, headers and bodies.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench run" q quiet' -l 'quiet' -s 'q' -d 'Show nothing but errors.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench run" json' -l 'json' -d 'Print a JSON object per step; with --verbose, headers and bodies too.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench run"' -l 'report' -d 'Write a report, as often as given: jsonl, junit, junit-gitlab, tap, tap13, github, markdown, html, har. The path - is standard output.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench run" keep-going' -l 'keep-going' -d 'Continue after a step that fails, and report every failure.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench run" update-snapshots' -l 'update-snapshots' -d 'Write the snapshots that are missing or do not fit.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench run" no-record' -l 'no-record' -d 'Do not record the run.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench run" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench run" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench run" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench run" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench test" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test" j jobs' -l 'jobs' -s 'j' -d 'How many files at once.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test" fail-fast' -l 'fail-fast' -d 'Begin no file after one that failed.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test" repeat' -l 'repeat' -d 'Run each file this often, and show the 50th, 90th and 99th percentile.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test" retry-failed' -l 'retry-failed' -d 'Run a file that fails again, up to this often; one that passes then is flaky.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test" only' -l 'only' -d 'Only files whose path contains this or fits it.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test"' -l 'tags' -d 'Only files with one of these tags; !slow: without it.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test" shard' -l 'shard' -d 'Run one of several shares of the files: 2/5, or auto: what the server of CI says.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test" list' -l 'list' -d 'Show which files would be run.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test"' -l 'set' -d 'Give a let, or a parameter of the sequence, this value.' -rfka '(__workbench_custom_completion ---completion test -- --set (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test"' -l 'vars' -d 'Give lets and parameters the values of a map in JSON or YAML; names that the script lacks are ignored.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test"' -l 'use' -d 'Use the let, secret and profile statements of this script in place of those of the same names.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test"' -l 'report' -d 'Write a report, as often as given: jsonl, junit, junit-gitlab, tap, tap13, github, markdown, html, har. The path - is standard output.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test" v verbose' -l 'verbose' -s 'v' -d 'Show each step.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test" json' -l 'json' -d 'Print the report as JSON lines, and nothing else.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test" keep-going' -l 'keep-going' -d 'Continue after a step that fails, and report every failure.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test" update-snapshots' -l 'update-snapshots' -d 'Write the snapshots that are missing or do not fit.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test" no-record' -l 'no-record' -d 'Do not record the suite.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench test" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench bulk" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench bulk" -eq 2' -fka '(__workbench_custom_completion ---completion bulk -- positional@1 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" rows' -l 'rows' -d 'The rows: a .csv or .jsonl file; - is standard input.' -rfa '(set -l exts \'csv\' \'jsonl\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" j jobs' -l 'jobs' -s 'j' -d 'How many rows at once.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" rate' -l 'rate' -d 'Begin no more rows than this: 200/s, 30/m.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" out' -l 'out' -d 'Write a JSON object for each row.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk"' -l 'select' -d 'Put this value of each row into --out: id=$create.body.id.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" failed' -l 'failed' -d 'Write the rows that failed, with the reasons; it can be the rows of another run.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" unknown' -l 'unknown' -d 'Write the rows of which it is not known whether they happened, or that happened in part.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" stop-after' -l 'stop-after' -d 'Begin no row after this many have failed.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" shard' -l 'shard' -d 'Run one of several shares of the rows: 2/5, or auto: what the server of CI says.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" resume' -l 'resume' -d 'Continue this run: an id, a unique prefix of one, or last.' -rfka '(__workbench_custom_completion ---completion bulk -- --resume (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" retry-failed' -l 'retry-failed' -d 'With --resume: run rows again that failed before anything happened that must not happen twice.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk"' -l 'set' -d 'Give a let, or a parameter of the sequence, this value.' -rfka '(__workbench_custom_completion ---completion bulk -- --set (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk"' -l 'vars' -d 'Give lets and parameters the values of a map in JSON or YAML; names that the script lacks are ignored.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk"' -l 'use' -d 'Use the let, secret and profile statements of this script in place of those of the same names.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk"' -l 'report' -d 'Write a report, as often as given: jsonl, junit, junit-gitlab, tap, tap13, github, markdown, html, har. The path - is standard output.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" v verbose' -l 'verbose' -s 'v' -d 'Show every row that is not done.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" q quiet' -l 'quiet' -s 'q' -d 'Show nothing but errors.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" keep-going' -l 'keep-going' -d 'Continue a row after a step that fails.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" no-record' -l 'no-record' -d 'Do not record what becomes of the rows.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench bulk" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench report"' -l 'report' -d 'Write a report, as often as given: jsonl, junit, junit-gitlab, tap, tap13, github, markdown, html, har. The path - is standard output.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench report" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench report" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench report" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench report" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench debug" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench debug" -eq 2' -fka '(__workbench_custom_completion ---completion debug -- positional@1 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench debug"' -l 'set' -d 'Give a let, or a parameter of the sequence, this value.' -rfka '(__workbench_custom_completion ---completion debug -- --set (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench debug"' -l 'vars' -d 'Give lets and parameters the values of a map in JSON or YAML; names that the script lacks are ignored.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench debug"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench debug"' -l 'use' -d 'Use the let, secret and profile statements of this script in place of those of the same names.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench debug"' -l 'break-on' -d 'Continue until this happens: fail, "status 4xx", origin-change, or a step\'s name.' -rfka '(__workbench_custom_completion ---completion debug -- --break-on (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench debug" run' -l 'run' -d 'Instead of a script: a recorded run, with its responses.' -rfka '(__workbench_custom_completion ---completion debug -- --run (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench debug" no-record' -l 'no-record' -d 'Do not record what is sent.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench debug" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench debug" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench debug" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench debug" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench resume" -eq 1' -fka '(__workbench_custom_completion ---completion resume -- positional@0 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench resume" from' -l 'from' -d 'Do everything from this step on again.' -rfka '(__workbench_custom_completion ---completion resume -- --from (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench resume" accept-changes' -l 'accept-changes' -d 'Continue though a request is not the recorded one; from there on everything is sent.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench resume"' -l 'again' -d 'Send this step again, though it may have taken effect.' -rfka '(__workbench_custom_completion ---completion resume -- --again (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench resume"' -l 'done' -d 'Take this step as done, as it was answered or with this status and body.' -rfka '(__workbench_custom_completion ---completion resume -- --done (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench resume" give-up' -l 'give-up' -d 'Leave the run as it is, for good.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench resume"' -l 'set' -d 'Give a let, or a parameter of the sequence, this value instead of the recorded one.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench resume"' -l 'vars' -d 'Give lets and parameters the values of a map in JSON or YAML; names that the script lacks are ignored.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench resume"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench resume"' -l 'use' -d 'Use the let, secret and profile statements of this script in place of those of the same names.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench resume" v verbose' -l 'verbose' -s 'v' -d 'Show requests, headers and bodies.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench resume" q quiet' -l 'quiet' -s 'q' -d 'Show nothing but errors.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench resume" json' -l 'json' -d 'Print a JSON object per step; with --verbose, headers and bodies too.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench resume" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench resume" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench resume" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench resume" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench runs" c count' -l 'count' -s 'c' -d 'How many.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench runs" all' -l 'all' -d 'All of them.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench runs" json' -l 'json' -d 'Print a JSON object per run.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench runs" keep' -l 'keep' -d 'Keep only this many runs, those no older than this, or this many bytes of bodies.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench runs" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench runs" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench runs" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench runs" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench show" -eq 1' -fka '(__workbench_custom_completion ---completion show -- positional@0 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench show" -eq 2' -fka '(__workbench_custom_completion ---completion show -- positional@1 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench show" request' -l 'request' -d 'The request as it was sent.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench show" response' -l 'response' -d 'The response.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench show" body' -l 'body' -d 'The response\'s body.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench show" har' -l 'har' -d 'An HTTP Archive (HAR 1.2).'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench show" tries' -l 'tries' -d 'Every attempt at a step, including what was taken back in the debugger.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench show" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench show" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench show" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench replay" -eq 1' -fka '(__workbench_custom_completion ---completion replay -- positional@0 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench replay" script' -l 'script' -d 'Run this script instead of the recorded run\'s.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench replay"' -l 'set' -d 'Give a let, or a parameter of the sequence, this value instead of the recorded one.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench replay"' -l 'vars' -d 'Give lets and parameters the values of a map in JSON or YAML; names that the script lacks are ignored.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench replay"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench replay"' -l 'use' -d 'Use the let, secret and profile statements of this script in place of those of the same names.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench replay" v verbose' -l 'verbose' -s 'v' -d 'Show requests, headers and bodies.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench replay" json' -l 'json' -d 'Print a JSON object per step; with --verbose, headers and bodies too.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench replay" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench replay" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench replay" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench replay" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench diff" -eq 1' -fka '(__workbench_custom_completion ---completion diff -- positional@0 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench diff" -eq 2' -fka '(__workbench_custom_completion ---completion diff -- positional@1 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench diff" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench diff" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench diff" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench diff" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench queue" -eq 1' -fa 'add' -d 'Record that a script is to be run. It is checked; nothing is sent.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench queue" -eq 1' -fa 'run' -d 'Perform what is waiting.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench queue" -eq 1' -fa 'list' -d 'List what is not done yet.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench queue" -eq 1' -fa 'show' -d 'Show an operation and the steps of its run.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench queue" -eq 1' -fa 'retry' -d 'Let failed operations be retried.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench queue" -eq 1' -fa 'drop' -d 'Remove operations from the queue for good. Their runs stay and can be looked at.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench queue" -eq 1' -fa 'work' -d 'Perform what is waiting and what is added later, until ^C.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench queue" -eq 1' -fa 'status' -d 'Show how much is waiting, and what slows it down.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench queue" -eq 1' -fa 'migrate' -d 'Make the tables of a queue on a server, or change those of an earlier program.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench queue add" -eq 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench queue add" -eq 2' -fka '(__workbench_custom_completion ---completion queue add -- positional@1 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue add"' -l 'set' -d 'Give a let, or a parameter of the sequence, this value.' -rfka '(__workbench_custom_completion ---completion queue add -- --set (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue add"' -l 'vars' -d 'Give lets and parameters the values of a map in JSON or YAML; names that the script lacks are ignored.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue add"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue add"' -l 'use' -d 'Use the let, secret and profile statements of this script in place of those of the same names.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue add" key' -l 'key' -d 'Perform it after all that were added under this key.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue add" shared-files' -l 'shared-files' -d 'With a store on a server: each worker has the files that it reads, under the same paths.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue add" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue add" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue add" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue run" j jobs' -l 'jobs' -s 'j' -d 'How many at once.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue run" v verbose' -l 'verbose' -s 'v' -d 'Show requests, headers and bodies of each step.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue run" q quiet' -l 'quiet' -s 'q' -d 'Show nothing but errors.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue run"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue run" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue run" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue run" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue run" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue list" json' -l 'json' -d 'Print a JSON object per operation.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue list" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue list" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue list" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench queue show" -eq 1' -fka '(__workbench_custom_completion ---completion queue show -- positional@0 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue show" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue show" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue show" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench queue retry" -ge 1' -fka '(__workbench_custom_completion ---completion queue retry -- positional@0 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue retry" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue retry" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue retry" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench queue drop" -ge 1' -fka '(__workbench_custom_completion ---completion queue drop -- positional@0 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue drop" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue drop" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue drop" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue work" j jobs' -l 'jobs' -s 'j' -d 'How many at once.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue work" until-empty' -l 'until-empty' -d 'End when nothing is left that can be done now.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue work" v verbose' -l 'verbose' -s 'v' -d 'Show requests, headers and bodies of each step.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue work" q quiet' -l 'quiet' -s 'q' -d 'Show nothing but errors.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue work"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue work" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue work" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue work" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue work" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue status" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue status" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue status" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue migrate" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue migrate" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench queue migrate" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench check" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench check"' -l 'vars' -d 'Give lets and parameters the values of a map in JSON or YAML; names that the script lacks are ignored.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench check"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench check"' -l 'use' -d 'Use the let, secret and profile statements of this script in place of those of the same names.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench check" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench check" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench fmt" -ge 1' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench fmt" check' -l 'check' -d 'List the files that are not in the style, and change none.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench fmt" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench fmt" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench fmt" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench eval" -eq 1' -F
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench eval" text' -l 'text' -d 'Take the document as text.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench eval" r raw' -l 'raw' -s 'r' -d 'Print a string as its text, not as JSON.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench eval" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench eval" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench eval" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench select" -eq 1' -F
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench select" lines' -l 'lines' -d 'Print each value on one line of its own.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench select" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench select" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench import" -ge 1' -F
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench import" o output' -s 'o' -l 'output' -d 'Write FILE.wb for each file into this directory, or one file to FILE.wb.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench import" strict' -l 'strict' -d 'Exit with 2 where something is different, too.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench import" exact' -l 'exact' -d 'Keep the bytes of bodies, rather than write JSON as JSON.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench import" env' -l 'env' -d 'Make a script of each environment in this http-client.env.json, for --use.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'json\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench import"' -l 'set' -d 'Write this value in the place of a variable.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench import" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench import" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench import" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench export" -eq 1' -fka 'curl hurl'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench export" -eq 2' -fa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench export" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench export" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench export" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench auth" -eq 1' -fa 'login' -d 'Sign in.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench auth" -eq 1' -fa 'logout' -d 'Revoke the token and forget it.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench auth" -eq 1' -fa 'status' -d 'Say whether somebody is signed in, and until when.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench auth" -eq 1' -fa 'refresh' -d 'Get a new token without signing in again.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench auth login" -eq 1' -fka '(__workbench_custom_completion ---completion auth login -- positional@0 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth login" script' -l 'script' -d 'A script that declares it.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth login"' -l 'vars' -d 'Give lets and parameters the values of a map in JSON or YAML; names that the script lacks are ignored.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth login"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth login"' -l 'use' -d 'Use the let, secret and profile statements of this script in place of those of the same names.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth login" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth login" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth login" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench auth logout" -eq 1' -fka '(__workbench_custom_completion ---completion auth logout -- positional@0 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth logout" script' -l 'script' -d 'A script that declares it.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth logout"' -l 'vars' -d 'Give lets and parameters the values of a map in JSON or YAML; names that the script lacks are ignored.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth logout"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth logout"' -l 'use' -d 'Use the let, secret and profile statements of this script in place of those of the same names.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth logout" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth logout" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth logout" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench auth status" -eq 1' -fka '(__workbench_custom_completion ---completion auth status -- positional@0 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth status" script' -l 'script' -d 'A script that declares it.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth status"' -l 'vars' -d 'Give lets and parameters the values of a map in JSON or YAML; names that the script lacks are ignored.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth status"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth status"' -l 'use' -d 'Use the let, secret and profile statements of this script in place of those of the same names.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth status" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth status" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench auth refresh" -eq 1' -fka '(__workbench_custom_completion ---completion auth refresh -- positional@0 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth refresh" script' -l 'script' -d 'A script that declares it.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth refresh"' -l 'vars' -d 'Give lets and parameters the values of a map in JSON or YAML; names that the script lacks are ignored.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth refresh"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth refresh"' -l 'use' -d 'Use the let, secret and profile statements of this script in place of those of the same names.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth refresh" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth refresh" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench auth refresh" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_positional "workbench presign" -eq 1' -fka '(__workbench_custom_completion ---completion presign -- positional@0 (count (__workbench_tokens -pc)) (__workbench_tokens -tC))'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench presign" expires' -l 'expires' -d 'How long the URL is good for, from 1s to 7d.' -rfka ''
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench presign" script' -l 'script' -d 'A script that declares the profile.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench presign"' -l 'vars' -d 'Give lets and parameters the values of a map in JSON or YAML; names that the script lacks are ignored.' -rfa '(set -l exts \'json\' \'yaml\' \'yml\';for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.{$exts};printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench presign"' -l 'env-file' -d 'Let $env have the NAME=value lines of this file where the environment lacks them.' -rF
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench presign"' -l 'use' -d 'Use the let, secret and profile statements of this script in place of those of the same names.' -rfa '(for p in (string match -e -- \'*/\' (commandline -t);or printf \n)*.\'wb\';printf %s\n $p;end;__fish_complete_directories (commandline -t) \'\')'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench presign" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench presign" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench presign" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench doctor" store' -l 'store' -d 'Where runs are recorded. (default: $XDG_STATE_HOME/workbench, else ~/.local/state/workbench)' -rfa '(__workbench_complete_directories)'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench doctor" color' -l 'color' -d 'Colors: auto, always or never.' -rfka 'auto always never'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench doctor" version' -l 'version' -d 'Show the version.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench doctor" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'workbench' -n '__workbench_should_offer_completions_for_flags_or_options "workbench help" version' -l 'version' -d 'Show the version.'
